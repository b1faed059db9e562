import type { UnreadableAnswer } from "@earshot/hub/hook";

/** Agents run a POSIX shell script, because starting Node would cost more than the whole exchange. */
export interface ShimOptions {
  /** The neutral answer for agents that require output. */
  readonly neutrals: Readonly<Record<string, string>>;
  /** The answer for an action that neither the hub nor Node can judge, from the rules in force when the launcher was written. */
  readonly unreadable: UnreadableAnswer;
  /** The same in each agent's format, for each gating hook. */
  readonly unreads: readonly UnreadText[];
  readonly asking: readonly AskSupportText[];
}

export interface UnreadText {
  readonly agent: string;
  readonly hook: string;
  readonly answer: "ask" | "deny";
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** When an agent really prompts; see `Asking` in the agents package. */
export interface AskSupportText {
  readonly agent: string;
  readonly modes: readonly string[] | undefined;
  readonly unattended: Readonly<Record<string, readonly string[]>>;
}

/** A larger payload is not read, and the answer is the one for unreadable payloads. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Chunks of a pipe, which may be small. */
const MAX_PIECES = 4096;

/** Environment variables that mapping files use. */
const CLUES = [
  "AMP_THREAD_ID",
  "AUGMENT_CONVERSATION_ID",
  "AUGMENT_PROJECT_DIR",
  "CI",
  "CLAUDE_CODE_REMOTE",
  "CLAUDE_CODE_SESSION_ATTENDED",
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
 * The machine-independent part of the launcher. Its arguments are AGENT [HOOK [SECONDS [observe]]], where SECONDS is the agent's timeout.
 * It reads the payload once, asks the hub over its socket, waits there with the returned token, and hands over to Node on any failure. It
 * only prints Earshot's answers or the agent's neutral one, and never passes on another program's exit code. The payload stays in memory,
 * because nothing is written before its secrets are masked.
 */
export function shimText({ neutrals, unreadable, unreads, asking }: ShimOptions): string {
  return `
agent=$1 hook=$2 seconds=$3 mode=$4 asked= to= resume= clues= answer= secret= nonce= nl='
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

# Whether the agent asks a person that it is told to ask. What stands behind "tool_input" comes from the model.
asks() {
  case $CI in true | 1) return 1 ;; esac
  head=\${payload%%'"tool_input"'*}
  case $agent in
${asking.map(askingCase).join("\n")}
  esac
  return 0
}

# An action that nobody could judge. $unreadable is what the rules say to that.
unreadable=${unreadable}
unread() {
  if [ "$observe" = 1 ] || [ "$unreadable" = nothing ]; then neutral; fi
  if [ "$unreadable" = ask ] && ! asks; then unreadable=deny; fi
  case $agent/$hook/$unreadable in
${unreadCases(unreads)}
  esac
  neutral
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

# Whether this hub made the answer, to what was asked, just now: its first line ends with a MAC that takes the producer's secret.
# Any program of this account can put a socket of its own in the place of the hub's.
proven() {
  first=\${answer%%"$nl"*}
  rest=\${answer#"$first"}
  given=\${first##* }
  answer=\${first% *}$rest
  made=$(printf '%s\\n' "$secret" "$nonce" "$asked" "$answer" "$secret" | $digest)
  [ "\${made%% *}" = "$given" ]
}

# Sends $asked, the payload or, to /wait, a token. $1: how long the hub may hold the call, in milliseconds; $2: its limit, in seconds.
ask() {
  set -- "$curl" -q -s -f --noproxy '*' --unix-socket "$socket" --connect-timeout 1 --max-time "$2" \\
    -H 'content-type: application/json' -H 'expect:' -H "x-earshot-env:$clues" -H "x-earshot-resume:$resume" \\
    --data-binary @- "http://localhost/hooks/$agent$to?as=lines&hook=$hook&longest=\${seconds}000&observe=$observe&unreadable=$unreadable&nonce=$nonce&wait=$1"
  if [ -n "$shows" ]; then
    set -- "$@" -H @/dev/fd/3
    printf '%s' "$asked" | "$@" 3<<EARSHOT
authorization: Bearer $secret
EARSHOT
    return
  fi
  # A text that is handed over like this stays in memory in some shells alone; the others would write it to a file first.
  if [ -z "$here" ]; then printf '%s' "$asked" | "$@"; return; fi
  exec "$@" <<EARSHOT
$asked
EARSHOT
}

if [ "$mode" = observe ]; then observe=1; else observe=0; fi
patience=10 slice=25000 most=29
if [ "$seconds" -lt 60 ]; then patience=2 slice=5000 most=8; fi
if [ "$seconds" -lt 20 ]; then patience=1 slice=1000 most=3; fi

# An agent that never closes the pipe is answered by what came. dd passes on each piece as it comes, and knows an end.
copy() {
  if [ -n "$timeout" ]; then exec "$timeout" "$patience" dd bs=65536 count=${MAX_PIECES}; fi
  if [ -n "$perl" ]; then exec "$perl" -e 'alarm shift; exec @ARGV' "$patience" dd bs=65536 count=${MAX_PIECES}; fi
  exec dd bs=65536 count=${MAX_PIECES}
}
{ payload=$(copy); } 2>/dev/null
[ -n "$payload" ] || unread

${CLUES.map((name) => `[ -z "$${name}" ] || clue ${name} "$${name}"`).join("\n")}

code=7 large=
if [ "\${#payload}" -gt ${MAX_PAYLOAD_BYTES} ]; then
  payload= large=--too-large
elif [ -x "$curl" ] && [ -n "$digest" ] && { read -r secret < "$home/producer.token"; } 2>/dev/null; then
  { read -r nonce < /proc/sys/kernel/random/uuid; } 2>/dev/null || nonce=$(dd if=/dev/urandom bs=16 count=1 2>/dev/null | od -An -tx1 | tr -d ' \\n')
  asked=$payload
  answer=$(ask 0 1)
  code=$?
fi
while [ "$code" = 0 ]; do
  proven || { code=1; break; }
  case $answer in
    'earshot wait '*)
      resume=\${answer#earshot wait }
      asked=$resume
      to=/wait
      ;;
    'earshot again')
      asked=$payload
      to=
      ;;
    *)
      say
      code=1
      break
      ;;
  esac
  answer=$(ask "$slice" "$most")
  code=$?
done

# No hub, or none that answers: Node starts it, and decides by the rules on disk if that does not help.
{ answer=$(printf '%s' "$payload" | "$env" -i HOME="$user_home" PATH="$path" EARSHOT_HOME="$home" "$node" --disable-sigusr1 "$earshot" hook \\
  "$agent" "$hook" "$seconds" "$mode" --as-lines --curl "$code" --resume "$resume" --clues "$clues" --unreadable "$unreadable" $large); } 2>/dev/null
say
unread
`;
}

function neutralCases(neutrals: Readonly<Record<string, string>>): string {
  const texts = new Map<string, string[]>();
  for (const [agent, text] of Object.entries(neutrals)) {
    if (text.trim() !== "") texts.set(text.trim(), [...(texts.get(text.trim()) ?? []), agent]);
  }
  return [...texts].map(([text, agents]) => `    ${agents.sort().join(" | ")}) printf '%s\\n' ${quoteForShell(text)} ;;`).join("\n");
}

function askingCase({ agent, modes, unattended }: AskSupportText): string {
  const absent = Object.entries(unattended).map(
    ([name, values]) => `case $${name} in ${values.map(quoteForShell).join(" | ")}) return 1 ;; esac`,
  );
  const patterns = (modes ?? []).flatMap((mode) => [`"permission_mode":"${mode}"`, `"permission_mode": "${mode}"`]);
  const inMode =
    modes === undefined ? [] : [`case $head in ${patterns.map((one) => `*${quoteForShell(one)}*`).join(" | ")}) ;; *) return 1 ;; esac`];
  return [`    ${agent})`, ...[...absent, ...inMode].map((line) => `      ${line}`), "      ;;"].join("\n");
}

/** Hooks with the same answer share a case. */
function unreadCases(unreads: readonly UnreadText[]): string {
  const cases = new Map<string, string[]>();
  for (const { agent, hook, answer, exitCode, stdout, stderr } of unreads) {
    const text = stdout === "" ? stderr : stdout;
    const print = text.trim() === "" ? "" : `printf '%s\\n' ${quoteForShell(text.trimEnd())}${stdout === "" ? " >&2" : ""}; `;
    const does = `${print}exit ${exitCode}`;
    cases.set(does, [...(cases.get(does) ?? []), quoteForShell(`${agent}/${hook}/${answer}`)]);
  }
  return [...cases].map(([does, hooks]) => `    ${hooks.join(" | ")}) ${does} ;;`).join("\n");
}

/** Quotes any text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
