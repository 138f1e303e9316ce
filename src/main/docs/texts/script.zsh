	local context state line
	_arguments -C $options '1:subcommand:->first' '*::operand:->rest' && return
	case $state in
	first)
		_describe -t subcommands subcommand subcommands
		_files;;
	rest)
		case $words[1]:$CURRENT in
		list:2 | schema:2) _describe -t tables table tables;;
		help:2)
			_describe -t subcommands subcommand subcommands
			_describe -t tables table tables;;
		list:4)
			compadd -- ${=arguments[$words[2]]}
			_files;;
		*)
			compadd -- ${=operands[$words[1]]}
			[[ -n ${operands[$words[1]]} ]] || _files;;
		esac;;
	esac
}

_goheapx "$@"
