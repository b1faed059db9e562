/** The kind of a tool, independent of its name. */
export type ToolKind =
  | "command"
  | "edit"
  | "write"
  | "read"
  | "delete"
  | "list"
  | "search"
  | "web-search"
  | "fetch"
  | "plan"
  | "subagent"
  | "question"
  | "memory"
  | "watch"
  | "stop"
  | "skill"
  | "mcp"
  | "other";

type Named = Exclude<ToolKind, "skill" | "mcp" | "other">;

/** Tool names by kind, in lower case letters and digits: `run_shell_command` and `RunShellCommand` are equal. */
const NAMES: Readonly<Record<Named, string>> = {
  command:
    "bash shell exec execute executebash executecommand executepwsh runcommand runcommands runshellcommand runinterminal runterminalcmd runterminalcommand launchprocess localshell execcommand shellcommand terminal powershell process unifiedexec",
  edit: "edit editfile multiedit strreplace strreplaceeditor strreplacebasededittool applypatch applydiff patch replace replaceinfile replacestringinfile replacefilecontent searchreplace inserteditintofile insertcontent notebookedit editnotebookfile texteditor fileeditor",
  write: "write writefile writetofile create createfile createnewfile savefile fswrite",
  read: "read readfile readfiles readmanyfiles view viewfile openfile fsread readnotebook viewimage readlints getdiagnostics",
  delete: "delete deletefile removefile removefiles rm",
  list: "ls list listdir listdirectory listfiles",
  search:
    "grep glob search searchfiles searchfilecontent codebasesearch codebaseretrieval semanticsearch filesearch findfiles find findbyname grepsearch globsearch finder",
  "web-search": "websearch searchweb googlewebsearch",
  fetch: "webfetch fetch fetchurl fetchpage fetchwebpage openurl readurlcontent browse browseraction",
  plan: "todowrite todoread todo todolist managetodolist updateplan plan exitplanmode enterplanmode planmoderespond writetodos updatetodolist taskcreate taskupdate addtasks updatetasks",
  subagent: "task agent spawnagent delegate delegatetask delegatetoagent dispatchagent subagent runsubagent newtask",
  question: "askuserquestion askquestion askuser askfollowupquestion question requestuserinput",
  memory: "memory savememory updatememory creatememory remember",
  watch: "bashoutput readprocess readterminal getterminaloutput commandstatus writestdin taskoutput",
  stop: "killshell killprocess killterminal taskstop",
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.keys(NAMES)
    .filter(isNamed)
    .flatMap((kind) => NAMES[kind].split(" ").map((name): [string, ToolKind] => [name, kind])),
);

function isNamed(kind: string): kind is Named {
  return Object.hasOwn(NAMES, kind);
}

/** The members of a call that identify its tool. */
export interface NamedTool {
  readonly tool?: string;
  readonly toolKind?: "tool" | "skill" | "subagent" | "other";
  readonly server?: string;
}

/** Supplier prefixes of built-in tools. */
const BUILT_IN = new Set(["developer", "builtin", "computercontroller", "native", "core"]);

/** An MCP tool is of kind `mcp`, whatever its name, because its server defines what it does. */
export function toolKindOf({ tool = "", toolKind, server }: NamedTool): ToolKind {
  if (toolKind === "skill") return "skill";
  if (toolKind === "subagent") return "subagent";
  if (server !== undefined && server !== "" && !BUILT_IN.has(server.toLowerCase())) return "mcp";
  if (tool.length > 100) return "other";
  const name = tool.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  // Some names start with the supplier, as in `developer__shell`.
  const last =
    tool.includes("__") && !/^mcp_/i.test(tool) ? (tool.split("__").at(-1) ?? "").toLowerCase().replaceAll(/[^a-z0-9]/g, "") : name;
  return KINDS.get(name) ?? KINDS.get(last) ?? "other";
}
