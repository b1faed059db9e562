import { forEachChild, type SyntaxNode } from "unbash";

/** Builtins that set the variables they are told. */
export const SETTERS: ReadonlySet<string> = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "unset",
  "let",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "printf",
]);

/** Every variable that something inside a node may set: in a loop, a branch, a function, its value is not a constant. */
export function assignedNames(node: SyntaxNode, names: Set<string> = new Set()): ReadonlySet<string> {
  switch (node.type) {
    case "Assignment":
      names.add(node.name);
      break;
    case "For":
    case "Select":
      names.add(node.name.value);
      break;
    case "Command":
      if (node.name !== undefined && SETTERS.has(node.name.value)) {
        for (const argument of node.args) if (argument.type === "Word" && /^[A-Za-z_]\w*$/.test(argument.value)) names.add(argument.value);
      }
      break;
    case "ArithmeticWord":
      if (/^[A-Za-z_]\w*$/.test(node.value)) names.add(node.value);
      break;
    case "Word":
      // Most words hold nothing that could set anything.
      if (node.parts === undefined) return names;
      break;
    default:
  }
  forEachChild(node, (child) => {
    assignedNames(child, names);
  });
  return names;
}
