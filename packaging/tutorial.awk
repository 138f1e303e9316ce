# tutorial.awk FILE.md: the manual page goheapx-tutorial(7) from Markdown: headings, paragraphs, lists,
# blocks of code, `code`, *emphasis* and links are all that is known.
function text(line)
{
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	line = gensub_links(line)
	while (match(line, /`[^`]+`/))
		line = substr(line, 1, RSTART - 1) "\\fB" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" substr(line, RSTART + RLENGTH)
	while (match(line, /\*[^* ][^*]*\*/))
		line = substr(line, 1, RSTART - 1) "\\fI" substr(line, RSTART + 1, RLENGTH - 2) "\\fR" substr(line, RSTART + RLENGTH)
	return line ~ /^[.']/ ? "\\&" line : line
}

function gensub_links(line,    label)
{
	while (match(line, /\[[^]]+\]\([^)]+\)/)) {
		label = substr(line, RSTART + 1, index(substr(line, RSTART), "]") - 2)
		line = substr(line, 1, RSTART - 1) label substr(line, RSTART + RLENGTH)
	}
	return line
}

function code(line)
{
	gsub(/\\/, "\\e", line)
	gsub(/-/, "\\-", line)
	return line ~ /^[.']/ ? "\\&" line : line
}

function block(on)
{
	if (on != inside)
		print on ? ".PP\n.EX" : ".EE"
	inside = on
}

/^```/ { fence = !fence; block(fence); next }
fence { print code($0); next }
/^\t/ { block(1); print code(substr($0, 2)); next }
{ block(0) }
/^# / {
	print ".TH GOHEAPX-TUTORIAL 7 \"\" goheapx \"\""
	print ".SH NAME\ngoheapx\\-tutorial \\- " tolower(substr($0, 3, 1)) text(substr($0, 4))
	print ".SH DESCRIPTION"
	next
}
/^## / { print ".SH " toupper(text(substr($0, 4))); next }
/^### / { print ".SS " text(substr($0, 5)); next }
/^[*-] / { print ".IP \\(bu 2"; print text(substr($0, 3)); next }
/^$/ { print ".PP"; next }
{ sub(/^ +/, ""); print text($0) }
END { print ".SH SEE ALSO\n.BR goheapx (1)" }
