import { hubHomeOf } from "@earshot/hub/home";
import { UNREADABLE_ANSWERS, writeAnswerLines } from "@earshot/hub/hook";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { answerUnread, runHook, TOO_LARGE } from "../hook/run-hook.ts";
import { MAX_PAYLOAD_BYTES } from "../hook/shim-text.ts";

export const HOOK_HELP = `Usage: earshot hook AGENT [HOOK [SECONDS [observe]]] < payload.json

What a coding agent's hook runs when the hub cannot be asked at once: it starts the hub, and decides by your rules if that does
not help. Prints what the agent reads. \`earshot init\` registers it; there is no need to call it by hand.

  HOOK      the hook's name, for agents whose payloads do not say it
  SECONDS   how long the agent waits for its hooks (30)
  observe   only tell: nothing is held
`;

/** How long an agent may take to send its payload. */
const PATIENCE_MS = 10_000;

/** Exits with the agent's own exit codes. Failures exit with 0, because another code would be read as an answer. */
export async function hook(argv: readonly string[], io: CommandIo, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const { words, options } = readWords(argv);
  const [agent = "", name = "", seconds = "", mode = ""] = words;
  if (agent === "" || options.has("help") || options.has("h")) {
    io.out(HOOK_HELP);
    return EXIT.ok;
  }
  const tell = (answer: { readonly exitCode: number; readonly stdout: string; readonly stderr: string }): number => {
    if (options.has("as-lines")) {
      io.out(writeAnswerLines(answer));
      return EXIT.ok;
    }
    if (answer.stdout !== "") io.out(answer.stdout);
    if (answer.stderr !== "") io.err(answer.stderr);
    return answer.exitCode;
  };
  const about = {
    home: hubHomeOf(env),
    agent,
    hook: name,
    observes: mode === "observe",
    clues: options.get("clues") ?? "",
    unreadable: UNREADABLE_ANSWERS.find((one) => one === options.get("unreadable")),
  };
  const text = await readAll(io);
  const isTooLarge = options.has("too-large") || text === undefined;
  const resume = options.get("resume") ?? "";
  const answer = isTooLarge
    ? await answerUnread({ ...about, text: "" }, TOO_LARGE).catch(() => undefined)
    : await runHook({
        ...about,
        seconds: /^\d{1,5}$/.test(seconds) ? Number(seconds) : 30,
        resume,
        isSilent: options.get("curl") === "28" && resume === "",
        text,
      });
  return answer === undefined ? EXIT.ok : tell(answer); // the launcher, which hears nothing, answers by itself
}

const WITH_VALUE = new Set(["curl", "resume", "clues", "unreadable"]);

/** Unknown arguments are ignored, because a hook must not fail because of them. */
function readWords(argv: readonly string[]): { readonly words: readonly string[]; readonly options: ReadonlyMap<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    const name = /^--?([a-z-]+)$/.exec(word)?.[1];
    if (name === undefined) words.push(word);
    else options.set(name, WITH_VALUE.has(name) ? (argv[++index] ?? "") : "");
  }
  return { words, options };
}

/** Undefined above the limit. If an agent does not close its end, the received part is used. */
async function readAll({ stdin }: CommandIo): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => stdin.destroy(), PATIENCE_MS);
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_PAYLOAD_BYTES) return undefined;
      chunks.push(bytes);
    }
  } catch {
    // The received part is used.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
