import type { YamlKind } from "@earshot/policy/yaml";

export const MOST_BYTES = 64 * 1024;

/** A file of settings is small and flat: whatever is not was not written by a person. */
export const SETTINGS_YAML: YamlKind = {
  mostCharacters: MOST_BYTES,
  mostLevels: 32,
  hints: {
    tooLarge: "Settings take a few lines.",
    tooDeep: "Settings have two levels at most.",
    notYaml: "Each line is `key: value`; lists begin with `- `.",
    reference: "Write the value itself.",
  },
};
