import { CAPABLE, CODE_NAMES, type CodeNames, HARMLESS_MODULES, LOOKING_MEMBERS, PLAIN_WORDS } from "../catalogue/code-names.ts";
import type { ForeignCode } from "../shell/shell-command.ts";
import { isElsewhere, isInternal } from "./addresses.ts";
import { readRedis, readSql } from "./read-sql.ts";

/** What a lexical scan of code finds. Nothing is run, and obfuscated names count as unread. */
export interface CodeReading {
  /** Ids of dangers. */
  readonly dangers: readonly string[];
  /** Texts in it that a shell would read. */
  readonly commands: readonly string[];
  /** Texts in it that look like paths, and whether something is written. */
  readonly paths: readonly string[];
  readonly writes: boolean;
  /** Texts in it that look like addresses. */
  readonly addresses?: readonly string[];
  /** All of it is understood, and it only computes, reads and prints. */
  readonly harmless: boolean;
}

const MAX_CHARACTERS = 40_000;
/** `splitCode` puts the number of a string between these two characters; code that contains them itself could forge a string. */
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
  if (language === "awk" || language === "sed") return language === "awk" ? readAwk(text) : readSed(text);
  return readProgram(language, text);
}

function query(verdict: "harmless" | "changes" | "destroys" | "runs", text: string): CodeReading {
  const danger = verdict === "destroys" ? ["sql-destroys"] : verdict === "runs" ? ["code-unread"] : [];
  const [, shell] = /(?:^|\n)\s*(?:\\!|\.(?:shell|system))\s+([^\n]+)/.exec(text) ?? [];
  const files = [...text.matchAll(/(?:^|\n)\s*(?:\.(?:output|once|backup|save|clone|log)|\\[ow])\s+(\S+)/g)].map(([, file = ""]) => file);
  return {
    dangers: danger,
    commands: shell === undefined ? [] : [shell],
    paths: files,
    writes: files.length > 0,
    harmless: verdict === "harmless",
  };
}

function readAwk(text: string): CodeReading {
  const { bare, strings } = splitCode("awk", text);
  const runs = /\bsystem\s*\(|\|\s*&?\s*(?:getline|"?\ue002)|\ue002\s*\|\s*getline|print[^;}\n]*\|/.test(bare) || /\|\s*getline/.test(bare);
  const writes = /print[^;}\n]*>|-i\s+inplace/.test(bare.replaceAll(/\([^()]*\)/g, ""));
  const commands = strings.map((one) => one.text);
  return {
    dangers: runs ? ["code-runs"] : [],
    commands: runs ? commands : [],
    paths: writes ? commands : [],
    writes,
    harmless: !runs && !writes,
  };
}

/** GNU sed runs what follows `e`, and writes with `w`. */
function readSed(text: string): CodeReading {
  const runs = /(?:^|[;{}\n])[\d,$!~+ ]*e(?:\s|$)|[^\w\s][gipmMI\d]*e[gipmMI\d]*\s*(?:$|[;}\n])/.test(text);
  const [, written] = /(?:^|[;{}\n/|#])[\d,$!gipI]*[wW]\s+([^\n;}]+)/.exec(text) ?? [];
  const [, command] = /(?:^|[;{}\n])[\d,$!~+ ]*e\s+([^\n]+)/.exec(text) ?? [];
  return {
    dangers: runs ? ["code-runs"] : [],
    commands: command === undefined ? [] : [command],
    paths: written === undefined ? [] : [written.trim()],
    writes: written !== undefined,
    harmless: !runs && written === undefined,
  };
}

function readProgram(language: string, text: string): CodeReading {
  const code = splitCode(language, text.replaceAll(/\bDeno\s*\.\s*Command\b/g, "spawn"));
  const { bare, strings } = code;
  const texts = strings.map((one) => one.text);
  const names = [...namesIn(bare), ...loadedIn(bare, texts)];
  const starts = texts.some((one) => /child_process$/.test(one)) || !/^(?:python|javascript)$/.test(language);
  const has = (effect: CodeNames["effect"]) =>
    has_(names, effect) || (effect === "runs" && starts && names.some((name) => /^(?:exec|execute|Process)$/.test(name)));
  const capable =
    CAPABLE.test(bare) || texts.some((one) => CAPABLE.test(one) && /^[\w:./-]+$/.test(one)) || !/^(?:python|javascript)$/.test(language);
  const dangers = new Set<string>();
  const queries = [text, ...texts].filter((one) => /^\s*(?:drop|truncate|delete|update|alter|grant|copy|insert)\b/i.test(one)).map(readSql);
  if (queries.includes("destroys")) dangers.add("sql-destroys");
  if (/\binstall\.packages|\bPkg\.add|\binstall_github|\bpip\.main/.test(bare)) dangers.add("packages-foreign");
  if (language === "applescript" && /\b(?:delete|empty|erase|restart|shut\s+down|log\s+out|keystroke|key\s+code|login\s+item)\b/.test(bare))
    dangers.add("code-runs");
  if (names.some((name) => /^(?:rimraf|del|trash|rmfr)$/.test(name) && texts.includes(name))) dangers.add("code-deletes");
  if (language === "php" && texts.some((one) => /^(?:unlink|rmdir)$/.test(one))) dangers.add("code-deletes");
  if (/\b(?:update|delete)_?[mM]any\(\s*\{\s*\}/.test(bare)) dangers.add("code-deletes");
  if (has("deletes") || (capable && callsHere(bare)) || emptiesFile(bare, texts) || (has("moves") && capable && movesAway(texts)))
    dangers.add("code-deletes");
  if (isDynamic(language, bare, names)) dangers.add("code-unread");
  // Notebooks run what follows `!` in a shell.
  const lines =
    language === "python" || language === "other"
      ? [...text.matchAll(/^\s*[!%]{1,2}(?:sh|bash|system|sx)?\s*([a-z/~.].*)$/gm)].map(([, line = ""]) => line)
      : [];
  const calls = startedIn(language, code, has("runs"));
  if (calls === undefined) dangers.add("code-runs");
  const started = calls === undefined ? undefined : [...calls, ...lines];
  const urls = texts.filter((one) => /^(?:\w+:)?\/\/|^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(one));
  if (urls.some(isInternal)) dangers.add("internal-address");
  const elsewhere = urls.length === 0 || urls.some(isElsewhere);
  const isRaw =
    names.some((name) => /^(?:net|socket|dgram|tcpsocket|fsockopen|smtplib)$/i.test(name)) && /\bconnect|\bopen|\bsend|sock/i.test(bare);
  if (has("network") && elsewhere && /\(|\buse\b/.test(bare) && (isRaw || has("reads") || (has("sends") && isSending(bare))))
    dangers.add("sends-out");
  // A page leaks what it knows with the address of a picture, or of another page.
  const leaks = /\b(?:location|src|href|open|sendBeacon|action)\b/.test(bare) && /\b(?:cookie|localStorage|sessionStorage)\b/.test(bare);
  if (language === "javascript" && leaks && urls.some(isElsewhere)) dangers.add("sends-out");
  const writes = has("writes") || has("moves") || opensForWriting(bare, texts);
  return {
    dangers: [...dangers],
    commands: language === "other" ? [...(started ?? []), ...texts] : (started ?? texts),
    addresses: urls,
    paths: texts
      .map((one) => one.replace(HOME_IN_TEXT, "~"))
      .filter((one) => /^[~./\w@+-][^\n\s'"<>|]*$/.test(one) && /[./~]/.test(one) && one.length < 1024),
    writes,
    harmless: dangers.size === 0 && !writes && (started ?? []).length === 0 && !has("network") && isPlain(language, bare, names, texts),
  };
}

/** The home folder, put into a text: `$ENV{HOME}/x`, `${os.homedir()}/x`, `#{Dir.home}/x`. */
const HOME_IN_TEXT = /^(?:\$ENV\{HOME\}|\$HOME|[$#]\{[^}]*home[^}]*\})(?=\/)/i;

interface SplitCode {
  /** The code, with a mark and a number in the place of each text. */
  readonly bare: string;
  readonly strings: readonly { readonly text: string; readonly quote: string }[];
}

const COMMENTS: Readonly<Record<string, RegExp>> = {
  javascript: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  php: /\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y,
  lua: /--[^\n]*/y,
  other: /;;[^\n]*/y,
};
const HASH = /#[^\n]*/y;
const STRING =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`|(?:\bqx|%x)\s*[({[|/!]([^)}\]|/!]*)[)}\]|/!]/y;

function splitCode(language: string, text: string): SplitCode {
  const strings: { text: string; quote: string }[] = [];
  const comment = language in COMMENTS ? COMMENTS[language] : HASH;
  let bare = "";
  for (let at = 0; at < text.length; ) {
    const skipped = comment === undefined ? undefined : matchAt(comment, text, at);
    if (skipped !== undefined) {
      at += skipped[0].length;
      continue;
    }
    const found = /["'`q%]/.test(text[at] ?? "") ? matchAt(STRING, text, at) : undefined;
    if (found === undefined) {
      bare += text[at++];
      continue;
    }
    const [whole, triple, other, double, single, back, command] = found;
    const inside = triple ?? other ?? double ?? single ?? back ?? command ?? "";
    // Interpolations in a string are code.
    if (back !== undefined || double !== undefined)
      for (const [, expression = ""] of inside.matchAll(/[$#]\{([^}]*)\}/g)) bare += ` ${expression} `;
    bare += `\ue002${strings.length}\ue003`;
    strings.push({ text: unescapeText(inside), quote: back !== undefined || command !== undefined ? "`" : '"' });
    at += Math.max(1, whole.length);
  }
  return { bare, strings };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function unescapeText(text: string): string {
  const code = (digits: string) => String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff));
  return text
    .replaceAll(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, byte: string | undefined, unit: string | undefined) => code(byte ?? unit ?? "0"))
    .replaceAll("\\n", "\n")
    .replaceAll(/\\(["'`\\/])/g, "$1");
}

function namesIn(bare: string): readonly string[] {
  return [...new Set(bare.match(/[A-Za-z_][\w]*[!?]?(?:-[a-z]+)*/g) ?? [])];
}

/** Names of what is loaded from elsewhere: the last part of `require('node:child_process')`. */
function loadedIn(bare: string, texts: readonly string[]): readonly string[] {
  return [...bare.matchAll(/\b(?:require|import|from|use|library|using)\s*\(?\s*\ue002(\d+)\ue003/g)].flatMap(([, index]) => {
    const text = texts[Number(index)] ?? "";
    return /^[@\w:./-]{1,60}$/.test(text) ? [text.split(/[/:]/).at(-1) ?? ""] : [];
  });
}

function has_(names: readonly string[], effect: CodeNames["effect"]): boolean {
  const rows = CODE_NAMES.filter((row) => row.effect === effect);
  return names.some((name) => rows.some((row) => row.names.test(name) || row.names.test(name.replaceAll("-", "_"))));
}

/** A common word that deletes, called with something: `o.remove('x')`, `(delete-file "x")`; not `list.remove`. */
function callsHere(bare: string): boolean {
  const deletes = CODE_NAMES.find(({ effect }) => effect === "deletes-here")?.names;
  for (const [, name = ""] of bare.matchAll(/(?:[\w)\]]\s*(?:\.|::|->)\s*|\b|\()([A-Za-z_]\w*[!?]?)\s*(?=\(|\s\ue002|\ue002)/g))
    if (deletes?.test(name) === true) return true;
  if (/\bfile\s+(?:delete|rename)\b/.test(bare)) return true;
  // Given to another function, under a name of its own.
  return (
    /\b(?:import|from|const|let|var|require)\b[^;\n]*\b(?:remove|rm|rmdir|unlink|rmSync|unlinkSync)\b/.test(bare) ||
    /\b(?:os|fs|shutil|File|Dir)\s*\.\s*(?:remove|unlink|rmdir|rm|delete)\b/.test(bare)
  );
}

/** A mode of `open` with which a file is written: 'w', 'ab', '>', 'r+'. */
const WRITING_MODE = /^(?:[wax]b?t?\+?|[rwa]b?\+b?|>>?|\+<|wb\+?|at|wt)$/;

function opensForWriting(bare: string, texts: readonly string[]): boolean {
  return (
    /\b(?:open|fopen|File\.open|io\.open|openSync)\b/.test(bare) && texts.some((one) => WRITING_MODE.test(one) || /^>+\s*\S/.test(one))
  );
}

function emptiesFile(bare: string, texts: readonly string[]): boolean {
  const overwrites = /\b(?:open|fopen|openSync)\b/.test(bare) && texts.some((one) => /^w[bt]?\+?$|^>$|^>\s*[^>\s]/.test(one));
  if (
    overwrites &&
    !/\b(?:write\w*|dump|print|printf|say|puts|save|to_\w+|fputs|fwrite|copyfileobj|writerows?|extend|pickle|json)\b/.test(bare)
  )
    return true;
  return (
    /\b(?:write(?:File(?:Sync)?|_text|_bytes|TextFile(?:Sync)?)?|file_put_contents)\s*\([^)]*?(?:\ue002(\d+)\ue003)\s*\)/.test(bare) &&
    emptyLast(bare, texts)
  );
}

function emptyLast(bare: string, texts: readonly string[]): boolean {
  return [
    ...bare.matchAll(
      /\b(?:writeFile(?:Sync)?|write_text|write_bytes|file_put_contents|(?:File|IO|Deno|Bun)\.write\w*)\s*\([^()]*?\ue002(\d+)\ue003\s*\)/g,
    ),
  ].some(([, index]) => texts[Number(index)] === "");
}

function movesAway(texts: readonly string[]): boolean {
  return texts.some((one) => /^(?:~|\/|\.\.\/)/.test(one)) || texts.length < 2;
}

/** Functions that load or build code at run time; some are harmless as a member: `re.compile`, `cursor.exec`. */
function isDynamic(language: string, bare: string, names: readonly string[]): boolean {
  const rows = CODE_NAMES.find(({ effect }) => effect === "dynamic")?.names;
  if (language === "lua" && /(?:^|[^.\w])load\s*\(/.test(bare)) return true;
  if (names.some((name) => name !== "exec" && rows?.test(name) === true)) return true;
  if (/(?:^|[^.\w])(?:exec|compile)\s*[(\s]/.test(bare) && (language === "python" || language === "perl" || language === "ruby"))
    return true;
  if (/\bnew\s+Function\b|(?:^|[^.\w])Function\s*\(|\.\s*constructor\b|\bvm\b/.test(bare)) return true;
  if (/\b(?:require|import)\s*\(\s*(?!\ue002)[^)\s]/.test(bare) && language === "javascript") return true;
  if (/\[\s*(?:\ue002\d+\ue003\s*\+|[\w.]+\s*\+\s*\ue002)/.test(bare)) return true;
  return /\b__\w+__\b(?!\s*==)/.test(
    bare.replaceAll(/__(?:name|version|file|doc|main|init|future|all|dict|len|str|repr|iter|next|enter|exit|call|getitem)__/g, ""),
  );
}

/** The commands that code starts; undefined where it starts some that cannot be read. */
function startedIn(language: string, { bare, strings }: SplitCode, runs: boolean): readonly string[] | undefined {
  const quoted = strings.filter(({ quote }) => quote === "`");
  const backticks = language === "javascript" || language === "lua" || language === "python" ? [] : quoted.map(({ text }) => text);
  const tagged = [...bare.matchAll(/(?:\$|\bsh|\bBun\.\$|\bexeca\w*)\s*\ue002(\d+)\ue003/g)].map(
    ([, index]) => strings[Number(index)]?.text ?? "",
  );
  if (/\ue003\s*\.execute\s*\(/.test(bare)) return [...strings.map(({ text }) => text), ...tagged];
  if (!runs) return [...backticks, ...tagged];
  const called = [
    ...bare.matchAll(
      /\b(system|popen[23]?|exec\w*|spawn\w*|run|call|Popen|check_\w+|getoutput|getstatusoutput|shell_exec|passthru|proc_open|capture2?e?3?|cmd|execute|shell2?|sh|syscmd|kill|startfile|fork|Process)\b!?\s*(?:\(|\s)?\s*/g,
    ),
  ];
  const commands: string[] = [];
  for (const { 0: whole, index = 0 } of called) {
    const rest = bare.slice(index + whole.length);
    const [list] = /^[[(\s]*(?:\ue002\d+\ue003[\s,)\][(]*)+(?![\s]*[+%])/.exec(rest) ?? [];
    if (list === undefined) {
      // A definition, a mention, or an import: not a call.
      if (!/\(\s*$/.test(whole)) continue;
      return undefined;
    }
    const words = [...list.matchAll(/\ue002(\d+)\ue003/g)].map(([, number]) => strings[Number(number)]?.text ?? "");
    commands.push(words.length === 1 ? (words[0] ?? "") : words.map(quoteWord).join(" "));
    // More words are put together, or stand in an object.
    if (/^[^)\n;]*\+\s*[A-Za-z_$]|^\{[^}]*\bargs\b/.test(rest.slice(list.length))) return undefined;
  }
  return commands.length === 0 && backticks.length + tagged.length === 0 ? undefined : [...commands, ...backticks, ...tagged];
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function isSending(bare: string): boolean {
  return /\b(?:post|put|patch|delete|send\w*|upload\w*|storbinary)\s*\(|\bmethod\s*[:=]|\bbody\s*[:=]|\bdata\s*=|\bfiles\s*=|\bjson\s*=|\bpost\b/i.test(
    bare,
  );
}

/** Whether all its words are known: the modules it loads, and the members it uses of modules that could do harm. */
function isPlain(language: string, bare: string, names: readonly string[], texts: readonly string[]): boolean {
  if (language !== "python" && language !== "javascript")
    return names.every((name) => name.length === 1 || PLAIN_WORDS.test(name) || isVariable(bare, name));
  const loaded = language === "python" ? importedIn(bare) : requiredIn(bare, texts);
  if (!loaded.every((name) => HARMLESS_MODULES.test(name))) return false;
  const members = [...bare.matchAll(/\b(?:os|fs|shutil|process|globalThis|global|window|Deno|Bun|sys)\s*\.\s*([A-Za-z_]\w*)/g)].map(
    ([, name = ""]) => name,
  );
  return members.every((name) => LOOKING_MEMBERS.test(name)) && !/\b(?:input|breakpoint|globalThis|Deno|Bun)\b/.test(bare);
}

function isVariable(bare: string, name: string): boolean {
  return bare.includes(`$${name}`) || bare.includes(`@${name}`) || bare.includes(`|${name}|`);
}

function importedIn(bare: string): readonly string[] {
  const modules: string[] = [];
  for (const [, list = ""] of bare.matchAll(/(?:^|[\n;:])\s*import\s+([^\n;]+)/g))
    modules.push(...list.split(",").map((one) => one.trim().split(/\s+/)[0] ?? ""));
  for (const [, name = ""] of bare.matchAll(/(?:^|[\n;:])\s*from\s+([\w.]+)\s+import/g)) modules.push(name);
  return modules;
}

function requiredIn(bare: string, texts: readonly string[]): readonly string[] {
  const loaded = [...bare.matchAll(/\b(?:require|import|from)\s*\(?\s*\ue002(\d+)\ue003/g)].map(([, index]) => texts[Number(index)] ?? "");
  return loaded.filter((name) => !/^\.{1,2}\/.*\.json$/.test(name));
}
