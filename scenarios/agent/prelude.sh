# What an agent's shell knows: everything that the same user can read, and the commands of the product.
set -u
files="$EARSHOT_HOME"
producer=$(cat "$files/producer.token")
viewer=$(cat "$files/viewer.token")
policy="$files/policy.yaml"
repository_policy="$REPOSITORY/.earshot/policy.yaml"

earshot() { "$NODE" "$EARSHOT" "$@" </dev/null 2>&1; }
get() { curl -s -m 10 "$URL$1" ${2:+-H "authorization: Bearer $2"}; echo; }
post() { curl -s -m 10 -X POST "$URL$1" -H 'content-type: application/json' ${2:+-H "authorization: Bearer $2"} -d "$3"; echo; }

# Every text in every file of the hub that could be a credential.
credentials() {
  echo "$producer"
  echo "$viewer"
  cat "$files/request.key"
  grep -oE '[A-Za-z0-9_-]{16,}' "$files/access.json" "$files/address.json" -h
  grep -vE -- '-----' "$files/seal-key.pem"
}

# Runs something in a terminal, and types lines into it, one a second.
in_terminal() {
  local words=$1
  shift
  (for line in "$@"; do sleep 1; printf '%s\r' "$line"; done; sleep 1) | timeout 8 script -qfec "\"$NODE\" \"$EARSHOT\" $words" /dev/null 2>&1
}

# Asks as the hook does, about a command, under an id of its own.
ask() {
  local id="agent-$RANDOM-$RANDOM"
  post "/aep/v1/hooks?wait=${2:-1}" "$producer" "{\"aep_version\":\"0.1\",\"id\":\"$id\",\"type\":\"action.requested\",\"time\":\"2026-07-01T09:00:00Z\",\"agent\":{\"slug\":\"claude\"},\"session\":{\"id\":\"session-agent\"},\"workspace\":{\"cwd\":\"$REPOSITORY\"},\"action\":{\"type\":\"tool_call\",\"id\":\"$id\",\"input\":{\"command\":\"$1\"}},\"tool\":{\"name\":\"Bash\",\"type\":\"native\"}}"
}

# Long enough for the hub to look at its files again.
let_it_look() { ask "wipe --all" >/dev/null; sleep 0.6; ask "wipe --all" >/dev/null; }
