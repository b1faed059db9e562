import { EXIT, type Io } from "../io.ts";
import { usage } from "../usage.ts";

export const POLICY_HELP = `Usage: earshot policy check [FILE]
       earshot policy try [FILE] [--since 30d] [--session ID]
       earshot policy explain [FILE] < payload.json
       earshot policy suggest
       earshot policy show
       earshot policy accept
       earshot policy forget RULE

Your own rules, which decide before anybody is asked: ~/.earshot/policy.yaml, or the FILE that is named.

  check     says what is wrong with a file, with line, column and what to do about it
  try       runs the rules over what is recorded, and shows what would have gone another way
  explain   says which rule decides something, and why the others do not
  suggest   proposes rules from what you answered again and again; it writes none of them
  show      prints the rules in force, and those that wait to be accepted
  accept    shows what a changed file lets through that was held before, and accepts it with your PIN
  forget    takes back a rule that was kept together with an answer

A file that only tightens counts at once. One that loosens anything waits until an approver has accepted it.
earshot policy check --help tells more, and so do the others.
`;

type Action = (argv: readonly string[], io: Io) => Promise<number>;

/** Loaded when asked for: some of them need the ledger, some only the rules. */
const ACTIONS: Readonly<Record<string, () => Promise<Action>>> = {
  check: async () => (await import("./policy-check.ts")).policyCheck,
  try: async () => (await import("./policy-try.ts")).policyTry,
  explain: async () => (await import("./policy-explain.ts")).policyExplain,
  suggest: async () => (await import("./policy-suggest.ts")).policySuggest,
  show: async () => (await import("./policy-show.ts")).policyShow,
  forget: async () => (await import("./policy-forget.ts")).policyForget,
  accept: async () => (await import("./policy-accept.ts")).policyAccept,
};

export async function policy(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "--help" || name === "-h" || name === "help") {
    io.out(POLICY_HELP);
    return EXIT.ok;
  }
  const load = name !== undefined && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (load === undefined)
    throw usage(
      name === undefined ? "Check, try, explain, suggest, show, accept or forget?" : `There is no policy ${JSON.stringify(name)}.`,
      "earshot policy --help",
    );
  return (await load())(rest, io);
}
