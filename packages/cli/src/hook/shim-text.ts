/** What agents run is a script for any POSIX shell: a Node that starts would cost more than everything it does. */
export interface ShimOptions {
  /** What is printed where Earshot has no opinion, or has failed, for agents that want to read something then. */
  readonly neutrals: Readonly<Record<string, string>>;
}

/** A payload that is larger is not read: whoever has to decide about it is told that. */
export const LARGEST_PAYLOAD = 16 * 1024 * 1024;

/** Pieces of a pipe, which may be small. */
const MOST_PIECES = 4096;

/** Names of variables that tell mapping files something about the agent. */
const CLUES = [
  "AMP_THREAD_ID",
  "AUGMENT_CONVERSATION_ID",
  "AUGMENT_PROJECT_DIR",
  "CLAUDE_CODE_REMOTE",
  "CLAUDE_PROJECT_DIR",
  "CRUSH",
  "CURSOR_PROJECT_DIR",
  "CURSOR_VERSION",
  "DEVIN_PROJECT_DIR",
  "FACTORY_PROJECT_DIR",
  "GEMINI_PROJECT_DIR",
  "OPENHANDS_EVENT_TYPE",
  "OPENHANDS_PROJECT_DIR",
  "OPENHANDS_SESSION_ID",
  "QWEN_PROJECT_DIR",
  "ROOT_WORKSPACE_PATH",
] as const;

/**
 * The part of the launcher that is the same everywhere. Its words are AGENT [HOOK [SECONDS [observe]]]: SECONDS is how long the
 * agent waits for its hooks. It reads the payload once, asks the hub over its socket, comes again while it is told to wait, and
 * hands over to Node for whatever goes wrong. What it prints is always an answer of ours, or the agent's neutral one; its exit
 * code is never anybody else's. The payload stays in memory: nothing is written before its secrets are masked.
 */
export function shimText({ neutrals }: ShimOptions): string {
  return `
agent=$1 hook=$2 seconds=$3 mode=$4 resume= clues= answer= nl='
'
case $agent in '' | *[!A-Za-z0-9_-]*) exit 0 ;; esac
case $hook in *[!A-Za-z0-9._-]*) hook= ;; esac
case $seconds in '' | *[!0-9]* | ??????*) seconds=30 ;; esac

# What the agent's surroundings say about how programs run does not count here.
PATH=$path
export PATH
unset LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH CURL_HOME IFS
LC_ALL=C
export LC_ALL

neutral() {
  case $agent in
${neutralCases(neutrals)}
  esac
  exit 0
}

# Only what can stand in a header, and says where one value ends.
clue() {
  case $2 in *[!A-Za-z0-9_./@:+~' '-]*) return ;; esac
  clues="$clues;$1=$2"
}

# Prints an answer of Earshot's and ends; comes back where it is none.
say() {
  case $answer in 'earshot answer '*) ;; *) return ;; esac
  first=\${answer%%"$nl"*}
  rest=\${answer#"$first"}
  rest=\${rest#"$nl"}
  set -- $first
  case $3 in 0 | 1 | 2 | 49) ;; *) return ;; esac
  if [ "$4" = err ]; then printf '%s\\n' "$rest" >&2; elif [ -n "$rest" ]; then printf '%s\\n' "$rest"; fi
  exit "$3"
}

# $1: how long the hub may hold the call, in milliseconds; $2: when it is given up, in seconds.
ask() {
  set -- "$curl" -q -s -f --noproxy '*' --unix-socket "$socket" --connect-timeout 1 --max-time "$2" \\
    -H 'content-type: application/json' -H 'expect:' -H "x-earshot-env:$clues" -H "x-earshot-resume:$resume" \\
    --data-binary @- "http://localhost/hooks/$agent?as=lines&hook=$hook&longest=\${seconds}000&observe=$observe&wait=$1"
  # A text that is handed over like this stays in memory in some shells alone; the others would write it to a file first.
  if [ -z "$here" ]; then printf '%s' "$payload" | "$@"; return; fi
  exec "$@" <<EARSHOT
$payload
EARSHOT
}

if [ "$mode" = observe ]; then observe=1; else observe=0; fi
patience=10 slice=25000 most=29
if [ "$seconds" -lt 60 ]; then patience=2 slice=5000 most=8; fi
if [ "$seconds" -lt 20 ]; then patience=1 slice=1000 most=3; fi

# An agent that never closes the pipe is answered by what came. dd passes on each piece as it comes, and knows an end.
copy() {
  if [ -n "$timeout" ]; then exec "$timeout" "$patience" dd bs=65536 count=${MOST_PIECES}; fi
  if [ -n "$perl" ]; then exec "$perl" -e 'alarm shift; exec @ARGV' "$patience" dd bs=65536 count=${MOST_PIECES}; fi
  exec dd bs=65536 count=${MOST_PIECES}
}
{ payload=$(copy); } 2>/dev/null
[ -n "$payload" ] || neutral

${CLUES.map((name) => `[ -z "$${name}" ] || clue ${name} "$${name}"`).join("\n")}

code=7 large=
if [ "\${#payload}" -gt ${LARGEST_PAYLOAD} ]; then
  payload= large=--too-large
elif [ -x "$curl" ]; then
  answer=$(ask 0 1)
  code=$?
fi
while [ "$code" = 0 ]; do
  case $answer in
    'earshot wait '*)
      resume=\${answer#earshot wait }
      answer=$(ask "$slice" "$most")
      code=$?
      ;;
    *)
      say
      code=1
      ;;
  esac
done

# No hub, or none that answers: Node starts it, and decides by the rules on disk if that does not help.
{ answer=$(printf '%s' "$payload" | "$env" -i HOME="$user_home" PATH="$path" EARSHOT_HOME="$home" "$node" "$earshot" hook \\
  "$agent" "$hook" "$seconds" "$mode" --as-lines --curl "$code" --resume "$resume" --clues "$clues" $large); } 2>/dev/null
say
neutral
`;
}

function neutralCases(neutrals: Readonly<Record<string, string>>): string {
  const texts = new Map<string, string[]>();
  for (const [agent, text] of Object.entries(neutrals)) {
    if (text.trim() !== "") texts.set(text.trim(), [...(texts.get(text.trim()) ?? []), agent]);
  }
  return [...texts].map(([text, agents]) => `    ${agents.sort().join(" | ")}) printf '%s\\n' ${quoteForShell(text)} ;;`).join("\n");
}

/** Any text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
