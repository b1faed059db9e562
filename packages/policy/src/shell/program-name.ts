import { basename } from "../paths.ts";

/** The name of a program without its folder, in small letters: on some disks `RM` is `rm`. */
export function programName(word: string): string {
  // In zsh `=rm` is the path of rm.
  const plain = word.length > 1 && word.startsWith("=") ? word.slice(1) : word;
  return basename(plain)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
}
