# Finds the context of the cursor, and selects one of the lists above.
_goheapx()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local words= operands=() i=1
	while ((i < COMP_CWORD)); do
		case ${COMP_WORDS[i]} in
		-*) [[ $_goheapx_with_value == *" ${COMP_WORDS[i]} "* ]] && i=$((i + 1));;
		*) operands+=("${COMP_WORDS[i]}");;
		esac
		i=$((i + 1))
	done
	local sub=${operands[0]} count=${#operands[@]} table=${operands[1]}
	[[ $sub == find ]] && table=find
	COMPREPLY=()
	case $prev in
	--sort) COMPREPLY=($(compgen -W "$(_goheapx_columns "$table")" -- "$cur")); return;;
	--columns | --group) words=$(_goheapx_columns "$table" | tr ' ' '\n' | grep -v '^-')
		[[ $prev == --group ]] && words+=" $(_goheapx_groups "$table")"
		[[ $cur == *,* ]] && words=$(printf "${cur%,*},%s\\n" $words)
		COMPREPLY=($(compgen -W "$words" -- "$cur")); return;;
	--where) words=$(_goheapx_columns "$table" | tr ' ' '\n' | grep -v '^-')
		COMPREPLY=($(compgen -W "$words not" -- "$cur")); return;;
	--limit | --depth | --size | -e | --command) return;;
	--script | --output | -o) COMPREPLY=($(compgen -f -- "$cur")); return;;
	--format) COMPREPLY=($(compgen -W "$_goheapx_formats" -- "$cur")); return;;
	*)
		if [[ $cur == -* ]]; then
			words=$(_goheapx_options "$sub")
		elif ((count == 0)); then
			words=$_goheapx_subcommands
		elif [[ $sub == list ]] && ((count == 1)); then
			words=$_goheapx_tables
		elif [[ $sub == list ]] && ((count == 3)); then
			words=$(_goheapx_arguments "${operands[1]}")
		elif ((count == 1)); then
			words=$(_goheapx_operands "$sub")
		fi;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
	[[ $sub == list ]] && ((count == 1)) && return
	if [[ $cur != -* && ( -z $sub || -e $sub || $_goheapx_of_files == *" $sub "* ) ]]; then
		compopt -o filenames 2>/dev/null
		COMPREPLY+=($(compgen -f -- "$cur"))
	fi
}
complete -F _goheapx goheapx
