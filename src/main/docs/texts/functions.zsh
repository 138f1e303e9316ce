# Completes the columns of the tables named on the command line.
_goheapx_columns()
{
	local word
	for word in $words; do
		compadd -- ${=columns[$word]}
	done
}

# Completes a comma-separated list of columns.
_goheapx_list()
{
	local word
	compset -P '*,'
	for word in $words; do
		compadd -qS , -- ${${=columns[$word]}:#-*}
	done
}

# Completes the form of a table, or columns.
_goheapx_groups()
{
	local word
	for word in $words; do
		compadd -- ${=groups[$word]}
	done
	_goheapx_list
}

# Completes the start of a filter: the name of a column.
_goheapx_where()
{
	local word
	for word in $words; do
		compadd -- ${${=columns[$word]}:#-*}
	done
	compadd -- not
}

