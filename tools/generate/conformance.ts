import { CATALOGUE, type JsonObject, PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import { EXAMPLES } from "@earshot/protocol/examples";
import { WHOLE_SESSIONS } from "./whole-sessions.ts";

/** What the manifest says about one fixture, in words that need no knowledge of this code. */
interface Fixture {
  readonly file: string;
  readonly protocol: ProtocolName;
  /** Valid: no error may be reported. Invalid: this rule must be reported, with this severity. */
  readonly expect: "valid" | "invalid";
  readonly rule?: string;
  readonly severity?: string;
  readonly about: string;
}

/** Fixtures that any implementation in any language can run: a valid and an invalid recording per rule, and whole sessions. */
export function conformanceFiles(): [string, string][] {
  const files: [string, string][] = [];
  const fixtures: Fixture[] = [];
  const add = (fixture: Omit<Fixture, "file">, name: string, items: readonly JsonObject[]) => {
    const file = `${fixture.protocol}/${fixture.expect}/${name}.jsonl`;
    files.push([`conformance/${file}`, items.map((item) => `${JSON.stringify(item)}\n`).join("")]);
    fixtures.push({ file, ...fixture });
  };
  for (const protocol of Object.keys(PROTOCOLS) as ProtocolName[]) {
    for (const [id, rule] of Object.entries(PROTOCOLS[protocol].rules)) {
      const examples = EXAMPLES[id];
      if (examples === undefined || "told" in examples.passes || "told" in examples.fails) continue;
      const name = id.slice(protocol.length + 1);
      add({ protocol, expect: "valid", rule: id, about: rule.title }, name, examples.passes);
      add({ protocol, expect: "invalid", rule: id, severity: rule.severity, about: rule.title }, name, examples.fails);
    }
  }
  for (const { name, items, ...fixture } of WHOLE_SESSIONS) add(fixture, name, items);
  const manifest = {
    about:
      "Recordings for checking implementations of AAEP, AEP and AOP. Each file is JSONL in recorded order. A valid recording breaks no rule at error level. An invalid one breaks the rule named, which is reported with the severity given; other findings may accompany it.",
    catalogue: CATALOGUE,
    fixtures: fixtures.sort((a, b) => (a.file < b.file ? -1 : 1)),
  };
  files.push(["conformance/manifest.json", `${JSON.stringify(manifest, null, 2)}\n`], ["conformance/README.md", README]);
  return files;
}

const README = `# Conformance fixtures

Recordings that any implementation of AAEP, AEP or AOP can be tried on, in any language. Made by \`npm run generate\`.

- \`manifest.json\` lists every fixture: its file, its protocol, whether it is valid, and, when it is not, the rule that it breaks and how severe that is.
- \`<protocol>/valid/\` holds recordings that break no rule at error level, \`<protocol>/invalid/\` one defect each.
- Each file is JSONL: one event or message per line, in the order in which they were recorded.

To run them: check each file; a valid one must give no error, an invalid one must give its rule. With Earshot:

    npx earshot check conformance/aaep/valid
    npx earshot check conformance/aaep/invalid/session-ends-once.jsonl

The rule names are Earshot's; \`docs/rules/\` says where each stands in its specification. These fixtures are no official suite of any of the protocols.
`;
