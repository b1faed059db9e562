import type { YamlKind } from "./read-yaml.ts";

/** A file of rules, as a person writes it. */
export const RULES_YAML: YamlKind = {
  mostCharacters: 256 * 1024,
  mostLevels: 24,
  hints: {
    tooLarge: "Rules take a few lines each.",
    tooDeep: "Rules have four levels at most.",
    notYaml: "Each line is `key: value`; lists begin with `- `. A text that begins with * & ! { [ or # needs quotes.",
    reference: "A pattern that begins with * needs quotes.",
  },
};
