import { CAPABLE_NAMES, meansEffect } from "../catalogue/code-names.ts";
import { type ForeignCode, quoteWord } from "../shell/shell-command.ts";
import { isElsewhere, isInternal } from "./addresses.ts";
import { isPlainCode } from "./plain-code.ts";
import { type QueryVerdict, readRedis, readSql } from "./read-sql.ts";
import { type SplitCode, splitCode } from "./split-code.ts";

/** Findings of a lexical scan of code. Nothing is run, and obfuscated names count as unread. */
export interface CodeReading {
  /** Ids of dangers. */
  readonly dangers: readonly string[];
  /** Strings in it that a shell would read. */
  readonly commands: readonly string[];
  /** Strings in it that look like paths, and whether anything is written. */
  readonly paths: readonly string[];
  readonly writes: boolean;
  /** Strings in it that look like addresses. */
  readonly addresses?: readonly string[];
  /** All of it is understood, and it only computes, reads and prints. */
  readonly harmless: boolean;
}

const MAX_CHARACTERS = 40_000;
/** `splitCode` puts a string's number between these two characters; code that contains them itself could forge a string. */
const STRING_MARKS = /[\ue002\ue003]/;
const UNREAD: CodeReading = { dangers: ["code-unread"], commands: [], paths: [], writes: true, harmless: false };

export function readCode({ language, text, unread }: ForeignCode): CodeReading {
  if (text.length > MAX_CHARACTERS || STRING_MARKS.test(text)) return UNREAD;
  const reading = readText(language, text);
  return unread === undefined ? reading : { ...reading, dangers: [...new Set([...reading.dangers, "code-unread"])], harmless: false };
}

function readText(language: string, text: string): CodeReading {
  if (language === "sql") return query(readSql(text), text);
  if (language === "redis") return query(readRedis(text), text);
  if (language === "awk") return readAwk(text);
  return language === "sed" ? readSed(text) : readProgram(language, text);
}

function query(verdict: QueryVerdict, text: string): CodeReading {
  const [, shell] = /(?:^|\n)[^\S\n]*(?:\\!|\.(?:shell|system))\s+([^\n]+)/.exec(text) ?? [];
  const paths = [...text.matchAll(/(?:^|\n)[^\S\n]*(?:\.(?:output|once|backup|save|clone|log)|\\[ow])\s+(\S+)/g)].map(
    ([, file = ""]) => file,
  );
  return {
    dangers: verdict === "destroys" ? ["sql-destroys"] : verdict === "runs" ? ["code-unread"] : [],
    commands: shell === undefined ? [] : [shell],
    paths,
    writes: paths.length > 0,
    harmless: verdict === "harmless",
  };
}

/** The reading of a program in a small language: whether it starts other programs, which ones, and the files it writes, if any. */
function smallProgram(runs: boolean, commands: readonly string[], written: readonly string[] | undefined): CodeReading {
  const writes = written !== undefined;
  return { dangers: runs ? ["code-runs"] : [], commands, paths: written ?? [], writes, harmless: !runs && !writes };
}

function readAwk(text: string): CodeReading {
  const { bare, strings } = splitCode("awk", text);
  const runs = /\bsystem\s*\(|\|\s*(?:&\s*)?(?:"?\ue002|getline)|print(?:(?!print)[^;}\n])*\|/.test(bare);
  const writes = /print(?:(?!print)[^;}\n])*>|-i\s+inplace/.test(bare.replaceAll(/\([^()]*\)/g, ""));
  const texts = strings.map((one) => one.text);
  return smallProgram(runs, runs ? texts : [], writes ? texts : undefined);
}

/** GNU sed runs what follows `e`, and writes with `w`. */
function readSed(text: string): CodeReading {
  const runs = /(?:^|[;{}\n])[\d,$!~+ ]*e(?:\s|$)|[^\w\s][gipmMI\d]*e[gipmMI\d]*\s*(?:$|[;}\n])/.test(text);
  const [, written] = /(?:^|[;{}\n/|#])[\d,$!gipI]*[wW]\s+([^\n;}]+)/.exec(text) ?? [];
  const [, command] = /(?:^|[;{}\n])[\d,$!~+ ]*e\s+([^\n]+)/.exec(text) ?? [];
  return smallProgram(runs, command === undefined ? [] : [command], written === undefined ? undefined : [written.trim()]);
}

/** A program in a general-purpose language, split into the parts that are checked. */
interface Program extends SplitCode {
  readonly language: string;
  /** Python or JavaScript, where most names are known. */
  readonly isCommon: boolean;
  readonly texts: readonly string[];
  readonly names: readonly string[];
  /** Whether one of its names has an effect. */
  readonly has: (effect: Parameters<typeof meansEffect>[1]) => boolean;
}

function readProgram(language: string, text: string): CodeReading {
  const code = splitCode(language, text.replaceAll(/\bDeno\s*\.\s*Command\b/g, "spawn"));
  const { bare } = code;
  const texts = code.strings.map((one) => one.text);
  const names = [...namesIn(bare), ...loadedIn(bare, texts)];
  const isCommon = language === "python" || language === "javascript";
  const has: Program["has"] = (effect) => names.some((name) => meansEffect(name, effect) || meansEffect(name.replaceAll("-", "_"), effect));
  const program: Program = { ...code, language, isCommon, texts, names, has };
  const starts = !isCommon || texts.some((one) => one.endsWith("child_process"));
  const runs = has("runs") || (starts && names.some((name) => /^(?:exec|execute|Process)$/.test(name)));
  const started = startedIn(program, runs);
  const lines = language === "python" || language === "other" ? shellLines(text, /[a-z/~.].*/) : [];
  const commands = started === undefined ? undefined : [...started, ...lines];
  const addresses = texts.filter((one) => /^(?:\w+:)?\/\/|^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(one));
  const dangers = programDangers(program, text, addresses);
  if (commands === undefined) dangers.push("code-runs");
  const writes = has("writes") || has("moves") || opensForWriting(program);
  const isInert = dangers.length === 0 && !writes && commands?.length === 0 && !has("network");
  return {
    dangers,
    commands: language === "other" ? [...(commands ?? []), ...texts] : (commands ?? texts),
    addresses,
    paths: texts
      .map((one) => one.replace(HOME_IN_TEXT, "~"))
      .filter((one) => /^[~./\w@+-][^\n\s'"<>|]*$/.test(one) && /[./~]/.test(one) && one.length < 1024),
    writes,
    harmless: isInert && isPlainCode(language, bare, names, texts),
  };
}

/** The home folder interpolated into a string: `$ENV{HOME}/x`, `${os.homedir()}/x`, `#{Dir.home}/x`. */
const HOME_IN_TEXT = /^(?:\$ENV\{HOME\}|\$HOME|[$#]\{(?=[^}]*home)[^}]*\})(?=\/)/i;

/** Notebooks run what follows `!` in a shell. */
export function shellLines(text: string, line: RegExp): readonly string[] {
  const pattern = new RegExp(`^[^\\S\\n]*[!%]{1,2}(?:sh|bash|system|sx)?\\s*(${line.source})$`, "gm");
  return [...text.matchAll(pattern)].map(([, found = ""]) => found);
}

function programDangers(program: Program, text: string, addresses: readonly string[]): string[] {
  const { language, bare, texts, has } = program;
  const dangers: string[] = [];
  const queries = [text, ...texts].filter((one) => /^\s*(?:drop|truncate|delete|update|alter|grant|copy|insert)\b/i.test(one)).map(readSql);
  if (queries.includes("destroys")) dangers.push("sql-destroys");
  if (/\binstall\.packages|\bPkg\.add|\binstall_github|\bpip\.main/.test(bare)) dangers.push("packages-foreign");
  if (language === "applescript" && /\b(?:delete|empty|erase|restart|shut\s+down|log\s+out|keystroke|key\s+code|login\s+item)\b/.test(bare))
    dangers.push("code-runs");
  if (deletes(program)) dangers.push("code-deletes");
  if (isDynamic(program)) dangers.push("code-unread");
  if (addresses.some(isInternal)) dangers.push("internal-address");
  // A page can leak data in the address of an image or of another page.
  const leaks = /\b(?:location|src|href|open|sendBeacon|action)\b/.test(bare) && /\b(?:cookie|localStorage|sessionStorage)\b/.test(bare);
  const isLeak = language === "javascript" && leaks && addresses.some(isElsewhere);
  const reaches = has("network") && (addresses.length === 0 || addresses.some(isElsewhere)) && /\(|\buse\b/.test(bare);
  if (isLeak || (reaches && (isRaw(program) || has("reads") || (has("sends") && SENDING.test(bare))))) dangers.push("sends-out");
  return dangers;
}

function isRaw({ names, bare }: Program): boolean {
  const hasSocket = names.some((name) => /^(?:net|socket|dgram|tcpsocket|fsockopen|smtplib)$/i.test(name));
  return hasSocket && /\bconnect|\bopen|\bsend|sock/i.test(bare);
}

const SENDING =
  /\b(?:post|put|patch|delete|send\w*|upload\w*|storbinary)\s*\(|\bmethod\s*[:=]|\bbody\s*[:=]|\bdata\s*=|\bfiles\s*=|\bjson\s*=|\bpost\b/i;

function namesIn(bare: string): readonly string[] {
  return [...new Set(bare.match(/[A-Za-z_]\w*[!?]?(?:-[a-z]+)*/g) ?? [])];
}

/** Names of loaded modules: the last part of `require('node:child_process')`. */
function loadedIn(bare: string, texts: readonly string[]): readonly string[] {
  return [...bare.matchAll(/\b(?:require|import|from|use|library|using)\s*(?:\(\s*)?\ue002(\d+)\ue003/g)].flatMap(([, index]) => {
    const text = texts[Number(index)] ?? "";
    return /^[@\w:./-]{1,60}$/.test(text) ? [text.split(/[/:]/).at(-1) ?? ""] : [];
  });
}

function deletes({ language, isCommon, bare, names, texts, has }: Program): boolean {
  const capable = !isCommon || CAPABLE_NAMES.test(bare) || texts.some((one) => CAPABLE_NAMES.test(one) && /^[\w:./-]+$/.test(one));
  return (
    names.some((name) => /^(?:rimraf|del|trash|rmfr)$/.test(name) && texts.includes(name)) ||
    (language === "php" && texts.some((one) => /^(?:unlink|rmdir)$/.test(one))) ||
    /\b(?:update|delete)_?[mM]any\(\s*\{\s*\}/.test(bare) ||
    has("deletes") ||
    (capable && callsHere(bare)) ||
    emptiesFile(bare, texts) ||
    (has("moves") && capable && (texts.length < 2 || texts.some((one) => /^(?:~|\/|\.\.\/)/.test(one))))
  );
}

/** Whether a common deleting word is called with an argument: `o.remove('x')`, `(delete-file "x")`; not `list.remove`. */
function callsHere(bare: string): boolean {
  for (const [, name = ""] of bare.matchAll(/(?:[\w)\]]\s*(?:\.|::|->)\s*|\b|\()([A-Za-z_]\w*[!?]?)\s*(?=\(|\s\ue002|\ue002)/g))
    if (meansEffect(name, "deletes-here")) return true;
  return (
    /\bfile\s+(?:delete|rename)\b/.test(bare) ||
    // Imported or bound under its own name, to be passed to another function.
    /\b(?:import|from|const|let|var|require)\b(?:(?!\b(?:import|from|const|let|var|require)\b)[^;\n])*\b(?:remove|rm|rmdir|unlink|rmSync|unlinkSync)\b/.test(
      bare,
    ) ||
    /\b(?:os|fs|shutil|File|Dir)\s*\.\s*(?:remove|unlink|rmdir|rm|delete)\b/.test(bare)
  );
}

/** A mode of `open` with which a file is written: 'w', 'ab', '>', 'r+'. */
const WRITING_MODE = /^(?:[wax]b?t?\+?|[rwa]b?\+b?|>>?|\+<|wb\+?|at|wt)$|^>+\s*\S/;

function opensForWriting({ bare, texts }: Program): boolean {
  return /\b(?:open|fopen|openSync)\b/.test(bare) && texts.some((one) => WRITING_MODE.test(one));
}

function emptiesFile(bare: string, texts: readonly string[]): boolean {
  const overwrites = /\b(?:open|fopen|openSync)\b/.test(bare) && texts.some((one) => /^w[bt]?\+?$|^>$|^>\s*[^>\s]/.test(one));
  const fills = /\b(?:write\w*|dump|print|printf|say|puts|save|to_\w+|fputs|fwrite|copyfileobj|writerows?|extend|pickle|json)\b/;
  if (overwrites && !fills.test(bare)) return true;
  if (!/\b(?:write(?:File(?:Sync)?|_text|_bytes|TextFile(?:Sync)?)?|file_put_contents)\s*\([^)]{0,1000}?\ue002\d+\ue003\s*\)/.test(bare))
    return false;
  const writing =
    /\b(?:writeFile(?:Sync)?|write_text|write_bytes|file_put_contents|(?:File|IO|Deno|Bun)\.write\w*)\s*\([^()]*?\ue002(\d+)\ue003\s*\)/g;
  return [...bare.matchAll(writing)].some(([, index]) => texts[Number(index)] === "");
}

/** Dunder names that only read, or that define how something is displayed. */
const PLAIN_DUNDERS = /__(?:name|version|file|doc|main|init|future|all|dict|len|str|repr|iter|next|enter|exit|call|getitem)__/g;

/** Whether code uses functions that load or build code at run time; some are harmless as a member: `re.compile`, `cursor.exec`. */
function isDynamic({ language, bare, names }: Program): boolean {
  return (
    (language === "lua" && /(?:^|[^.\w])load\s*\(/.test(bare)) ||
    names.some((name) => name !== "exec" && meansEffect(name, "dynamic")) ||
    (/^(?:python|perl|ruby)$/.test(language) && /(?:^|[^.\w])(?:exec|compile)\s*[(\s]/.test(bare)) ||
    /\bnew\s+Function\b|(?:^|[^.\w])Function\s*\(|\.\s*constructor\b|\bvm\b/.test(bare) ||
    (language === "javascript" && /\b(?:require|import)\s*\(\s*(?!\ue002)[^)\s]/.test(bare)) ||
    /\[\s*(?:\ue002\d+\ue003\s*\+|[\w.]+\s*\+\s*\ue002)/.test(bare) ||
    /\b__\w+__\b(?!\s*==)/.test(bare.replaceAll(PLAIN_DUNDERS, ""))
  );
}

const STARTING =
  /\b(?:system|popen[23]?|exec\w*|spawn\w*|run|call|Popen|check_\w+|getoutput|getstatusoutput|shell_exec|passthru|proc_open|capture2?e?3?|cmd|execute|shell2?|sh|syscmd|kill|startfile|fork|Process)\b!?\s*(?:\(|\s)?\s*/g;

/** The commands that code starts; undefined if it starts any that cannot be read. */
function startedIn({ language, bare, strings, texts }: Program, runs: boolean): readonly string[] | undefined {
  const textAt = (index: string | undefined) => texts[Number(index)] ?? "";
  const quoted = /^(?:javascript|lua|python)$/.test(language) ? [] : strings.filter(({ quote }) => quote === "`").map(({ text }) => text);
  const tagged = [...bare.matchAll(/(?:\$|\bsh|\bBun\.\$|\bexeca\w*)\s*\ue002(\d+)\ue003/g)].map(([, index]) => textAt(index));
  if (/\ue003\s*\.execute\s*\(/.test(bare)) return [...texts, ...tagged];
  if (!runs) return [...quoted, ...tagged];
  const commands: string[] = [];
  for (const { 0: whole, index } of bare.matchAll(STARTING)) {
    const rest = bare.slice(index + whole.length);
    const [list] = /^[[(\s]*(?:\ue002\d+\ue003[\s,)\][(]*)+(?![\s]*[+%])/.exec(rest) ?? [];
    if (list === undefined) {
      // A definition, a mention, or an import: not a call.
      if (!/\(\s*$/.test(whole)) continue;
      return undefined;
    }
    const words = [...list.matchAll(/\ue002(\d+)\ue003/g)].map(([, number]) => textAt(number));
    commands.push(words.length === 1 ? (words[0] ?? "") : words.map(quoteWord).join(" "));
    // Further words are concatenated, or are passed in an object.
    if (/^[^)\n;]{0,1000}\+\s*[A-Za-z_$]|^\{[^}]{0,1000}\bargs\b/.test(rest.slice(list.length))) return undefined;
  }
  const all = [...commands, ...quoted, ...tagged];
  return all.length === 0 ? undefined : all;
}
