# SPDX-License-Identifier: MIT
#
# Sums callgrind's files: lines "instructions, object, function", and with
# "total" as the function what the whole object executed.
#
# A function inlined into another counts as that other's. The line after
# "calls=" is what the callee did, which its own lines tell already.

# "(7) text" names number 7, "(7)" means it again; each file counts for itself.
function named(table, text,   id) {
	id = text
	sub(/\).*/, ")", id)
	if (length(text) > length(id))
		table[FILENAME, id] = substr(text, length(id) + 2)
	return table[FILENAME, id]
}

/^c?ob=/ {
	name = named(objects, substr($0, index($0, "=") + 1))
	if (!/^c/)
		object = name
	next
}
/^c?fn=/ {
	name = named(functions, substr($0, index($0, "=") + 1))
	if (!/^c/)
		fn = name
	next
}
/^calls=/ { callee = 1; next }
/^[-+*0-9]/ {
	if (!callee) {
		cost[object "\t" fn] += $NF
		cost[object "\ttotal"] += $NF
	}
	callee = 0
}
END {
	for (where in cost)
		print cost[where] "\t" where
}
