import {
  type Command,
  type For,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirected,
  type Select,
  type Statement,
  type SyntaxNode,
  type TestExpression,
} from "unbash";
import { programName } from "../paths.ts";
import { assignedNames } from "./assigned-names.ts";
import { assignVariable } from "./builtins.ts";
import { CommandList, type Via } from "./command-list.ts";
import { constantOutput, substitutedOutput } from "./constant-output.ts";
import { expandToText, expandWord, type WordContext } from "./expand-word.ts";
import type { ShellContext } from "./read-shell.ts";
import { readRedirections } from "./redirections.ts";
import { createScope, forget, forgetAll, forkScope, type Scope } from "./scope.ts";
import { HOLE, isExact, type ShellAssignment, type ShellWord, type SimpleCommand } from "./shell-command.ts";

const MAX_ROUNDS = 8;
/** Rounds within rounds add up; nobody writes so many by hand. */
const MAX_STEPS = 20_000;

/** Operators of `[[` that evaluate what they are given as arithmetic, or the subscript of a name. */
const EVALUATING = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;
/** A subscript with a command in it: `a[$(…)]`. */
const EVALUATED = /\[[^\]]*(?:\$\(|`)/;

/** The words of a builtin that it evaluates: names that may have a subscript, and arithmetic. */
function evaluatedTexts([program, ...words]: readonly ShellWord[]): readonly string[] {
  const name = program?.text ?? "";
  const texts = words.map(({ text }) => text);
  if (/^(?:\[|test|printf|wait)$/.test(name)) {
    const isCompared = (index: number) => EVALUATING.test(texts[index + 1] ?? "") || EVALUATING.test(texts[index - 1] ?? "");
    return texts.filter((_, index) => texts[index - 1] === "-p" || isCompared(index));
  }
  if (/^(?:let|read|unset|mapfile|readarray|getopts)$/.test(name)) return texts.filter((text) => !text.startsWith("-"));
  if (!/^(?:declare|typeset|local|export|readonly)$/.test(name)) return [];
  return texts.some((text) => /^-\w*i/.test(text)) ? texts : texts.map((text) => text.split("=", 1)[0] ?? "");
}

/** Walks over a parsed text in the order in which it would run, keeping what is known at each point in a scope. */
export class ShellWalker {
  readonly list: CommandList;
  readonly #home: string | undefined;
  #steps = 0;

  constructor(context: ShellContext) {
    this.#home = context.home;
    this.list = new CommandList(context, (text, scope, via) => this.#text(text, scope, via));
  }

  read(text: string, cwd: string | undefined): void {
    this.#text(text, createScope(cwd), []);
  }

  /** Words that may be a command of their own: the end of another one. */
  readWords(words: readonly ShellWord[], cwd: string | undefined): void {
    this.list.start({ words, assignments: [], reads: [], writes: [], truncates: [], input: undefined }, createScope(cwd), []);
  }

  #text(text: string, scope: Scope, via: Via): void {
    this.list.deeper(() => {
      try {
        this.#script(parse(text), scope, via);
      } catch {
        // The parser promises not to throw; were it to, the text would be one nobody can read.
        this.list.fail("it cannot be parsed");
      }
    });
  }

  #script(script: ParsedScript, scope: Scope, via: Via): void {
    const [error] = script.errors ?? [];
    if (error !== undefined) this.list.fail(`it cannot be parsed: ${error.message}`);
    for (const { command } of script.commands) if (command.type === "Function") forget(scope, assignedNames(command));
    this.#statements(script.commands, scope, via);
  }

  #statements(statements: readonly Statement[], scope: Scope, via: Via): void {
    for (const { command, background } of statements) {
      this.#node(command, background === true ? forkScope(scope) : scope, via);
      // The next line runs, too, when the `cd` of this one failed.
      if (scope.moved) scope.cwd = { ...scope.cwd, sure: false };
      scope.moved = false;
    }
  }

  #node(node: SyntaxNode, scope: Scope, via: Via): void {
    if (++this.#steps > MAX_STEPS) {
      this.list.cut("it has too many parts");
      return;
    }
    switch (node.type) {
      case "Command":
        this.#command(node, scope, via);
        break;
      case "AndOr":
        for (const [index, command] of node.commands.entries()) {
          if (index === 0 || node.operators[index - 1] === "&&") this.#node(command, scope, via);
          else this.#otherwise(command, scope, via);
        }
        break;
      case "Pipeline":
        this.#pipeline(node, scope, via);
        break;
      case "CompoundList":
        this.#statements(node.commands, scope, via);
        break;
      case "BraceGroup":
        this.#node(node.body, scope, via);
        break;
      case "Subshell":
      case "Coproc":
        // In a process of its own: nothing it sets comes back.
        this.#node(node.body, forkScope(scope), via);
        break;
      case "If":
        this.#node(node.clause, scope, via);
        for (const part of [node.then, ...node.elif, ...(node.else === undefined ? [] : [node.else])]) this.#maybe(part, scope, via);
        break;
      case "Elif":
        this.#node(node.clause, scope, via);
        this.#node(node.then, scope, via);
        break;
      case "Case":
        this.#substitutions(node.word, scope, via);
        for (const item of node.items) {
          for (const pattern of item.pattern) this.#substitutions(pattern, scope, via);
          this.#maybe(item.body, scope, via);
        }
        break;
      case "While":
        this.#again(node, [node.clause, node.body], scope, via);
        break;
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.#substitutions(part, scope, via);
        this.#again(node, [node.body], scope, via);
        break;
      case "For":
      case "Select":
        this.#each(node, scope, via);
        break;
      case "Function": {
        // It runs whenever it is called, with what is known then.
        const inside = forkScope(scope);
        forgetAll(inside);
        inside.cwd = { ...scope.cwd, sure: false };
        this.#node(node.body, inside, via);
        break;
      }
      case "Redirected":
        this.#redirected(node, scope, via);
        break;
      case "ArithmeticCommand":
        this.#ambiguous(node.body);
        this.#evaluates(node.body, scope);
        this.#substitutions(node, scope, via);
        break;
      case "TestCommand":
        this.#test(node.expression, scope, via);
        this.#substitutions(node, scope, via);
        break;
      default:
        this.#substitutions(node, scope, via);
    }
  }

  #redirected({ command, redirects }: Redirected, scope: Scope, via: Via): void {
    const redirections = readRedirections(redirects, this.#context(scope));
    for (const redirect of redirects) this.#substitutions(redirect, scope, via);
    this.list.start({ words: [], assignments: [], ...redirections, truncates: [] }, scope, via);
    const before = scope.input;
    scope.input = redirections.input ?? before;
    this.#node(command, scope, via);
    scope.input = before;
  }

  /** Perhaps: what it sets may or may not be so afterwards. */
  #maybe(node: SyntaxNode, scope: Scope, via: Via): void {
    const inside = forkScope(scope);
    this.#node(node, inside, via);
    forget(scope, assignedNames(node));
    if (inside.cwd.path !== scope.cwd.path) scope.cwd = { path: undefined, sure: false };
  }

  /** After `||`. Where that leaves the shell, what stood before has succeeded for whoever comes after. */
  #otherwise(node: SyntaxNode, scope: Scope, via: Via): void {
    const leaves = node.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
    const inside = forkScope(scope);
    this.#node(node, inside, via);
    forget(scope, assignedNames(node));
    if (leaves) scope.moved = false;
    else if (scope.moved || inside.cwd.path !== scope.cwd.path) scope.cwd = { ...scope.cwd, sure: false };
  }

  /** Several times: what one round sets, the next one finds. */
  #again(loop: SyntaxNode, parts: readonly SyntaxNode[], scope: Scope, via: Via): void {
    const names = assignedNames(loop);
    forget(scope, names);
    const first = this.list.commands.length;
    const inside = forkScope(scope);
    for (const part of parts) this.#node(part, inside, via);
    forget(scope, names);
    if (inside.cwd.path !== scope.cwd.path) this.#unsure(first, scope);
  }

  #each(node: For | Select, scope: Scope, via: Via): void {
    for (const word of node.wordlist ?? []) this.#substitutions(word, scope, via);
    const values = (node.wordlist ?? []).flatMap((word) => expandWord(word, this.#context(scope)));
    // A pattern stands for names of its own shape; a hole may be several words.
    const known = values.every(({ shape, process }) => process === undefined && shape?.includes(HOLE) !== true);
    const constants = node.type === "For" && values.length > 0 && values.length <= MAX_ROUNDS && known ? values : [null];
    const names = assignedNames(node.body);
    forget(scope, names);
    const first = this.list.commands.length;
    const inside = forkScope(scope);
    for (const value of constants) {
      inside.variables.set(node.name.value, names.has(node.name.value) ? null : value);
      this.#node(node.body, inside, via);
    }
    forget(scope, [...names, node.name.value]);
    if (inside.cwd.path !== scope.cwd.path) this.#unsure(first, scope);
  }

  /** A loop that changes the folder: each of its commands may run in another one than the first time. */
  #unsure(first: number, scope: Scope): void {
    const { commands } = this.list;
    for (let index = first; index < commands.length; index++) {
      const command = commands[index];
      if (command !== undefined) commands[index] = { ...command, cwd: { ...command.cwd, sure: false } };
    }
    scope.cwd = { path: undefined, sure: false };
  }

  #pipeline({ commands }: Pipeline, scope: Scope, via: Via): void {
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) {
      this.#node(only, scope, via);
      return;
    }
    const from: SimpleCommand[] = [];
    let { input } = scope;
    for (const command of commands) {
      const first = this.list.commands.length;
      this.#node(command, { ...forkScope(scope), input }, via);
      const printed = this.list.commands.slice(first);
      from.push(...printed);
      const [one] = printed;
      const prints = one !== undefined && printed.length === 1 && one.via.length === via.length && one.writes.length === 0;
      const constant = prints ? constantOutput(one) : undefined;
      input = constant === undefined ? { kind: "pipe", from: [...from] } : { kind: "text", word: constant };
    }
  }

  /** The commands inside of `$(…)`, `<(…)` and backquotes, wherever they stand. */
  #substitutions(node: SyntaxNode, scope: Scope, via: Via): void {
    if (node.type === "Word" && node.parts === undefined) return;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution" || node.type === "ArithmeticCommandExpansion") {
      const { script } = node;
      if (script === undefined) this.list.fail("a substitution in it has no end");
      else this.list.deeper(() => this.#script(script, forkScope(scope), via));
      return;
    }
    if (node.type === "ArithmeticExpansion") {
      this.#ambiguous(node.text);
      this.#evaluates(node.text, scope);
    }
    if (node.type === "ParameterExpansion") this.#parameter(node, scope);
    // Of zsh: `*(e:'command':)` runs the command for every file.
    if (node.type === "ExtendedGlob" && /^(?:e[^|]|\+|.*[^\w]e[:'"[{(])/.test(node.pattern)) {
      this.list.fail("a pattern in it may run commands in zsh");
    }
    forEachChild(node, (child) => this.#substitutions(child, scope, via));
  }

  /** To a shell without arithmetic, `((a b))` is a command in two pairs of parentheses. */
  #ambiguous(text: string): void {
    const own = text.replaceAll(/\$\([^()]*\)|`[^`]*`/g, "0");
    if (/[\w'"]\s+(?:[A-Za-z_'"]|-{1,2}[A-Za-z])/.test(own)) this.list.fail("`((` may begin arithmetic, or commands");
  }

  /**
   * Arithmetic evaluates what variables hold, and a subscript in that may start a command. Commands that stand there openly are
   * found with all others; here are those that only an evaluation brings forth.
   */
  #evaluates(text: string, scope: Scope): void {
    const names = [...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => scope.variables.get(name)?.text ?? "");
    const quoted = [...text.matchAll(/'([^']*)'/g)].map(([, inside = ""]) => inside);
    if ([...names, ...quoted].some((value) => /\$\(|`/.test(value))) this.list.fail("arithmetic in it runs a command");
  }

  /** `${x@P}` runs what stands in x, `${!x}` is whatever x names. */
  #parameter({ operation, text }: ParameterExpansionPart, scope: Scope): void {
    if (operation?.type === "Transform" && /P/.test(operation.operand.value)) this.list.fail(`\`${text}\` runs the commands in a variable`);
    if (operation?.type === "Slice") this.#evaluates(text, scope);
  }

  /** `[[ … ]]`: most of it looks; comparing numbers, and asking for a variable, evaluates. */
  #test(node: TestExpression, scope: Scope, via: Via): void {
    if (node.type === "TestLogical") for (const operand of node.operands) this.#test(operand, scope, via);
    else if (node.type === "TestNot") this.#test(node.operand, scope, via);
    else if (node.type === "TestGroup") this.#test(node.expression, scope, via);
    else {
      const words = node.type === "TestUnary" ? [node.operand] : [node.left, node.right];
      const texts = words.map((word) => expandToText(word, this.#context(scope)));
      const evaluates = EVALUATING.test(node.operator);
      if (evaluates && texts.some(({ text }) => EVALUATED.test(text))) this.list.fail("a test in it runs a command");
      const [left = { text: "" }, right] = texts;
      const listed = [{ text: "[[" }, ...(right === undefined ? [{ text: node.operator }, left] : [left, { text: node.operator }, right])];
      if (evaluates && !texts.every((word) => isExact(word) && /^-?\d*$/.test(word.text)))
        this.list.start({ words: listed, assignments: [], reads: [], writes: [], truncates: [], input: undefined }, scope, via);
    }
  }

  #context(scope: Scope): WordContext {
    return { scope, home: this.#home, substitute: (script, at) => this.#substituted(script, at) };
  }

  /** `$(echo x)` is x. */
  #substituted({ commands: [statement, ...others] }: ParsedScript, scope: Scope): ShellWord | undefined {
    const command = statement?.command;
    if (others.length > 0 || command?.type !== "Command" || command.name === undefined) return undefined;
    if (command.prefix.length > 0 || !/^(?:echo|printf|cat|mktemp)$/.test(command.name.value)) return undefined;
    const words = this.#words(command, this.#context(scope));
    const { input, writes, reads } = readRedirections(command.redirects, this.#context(scope));
    if (writes.length + reads.length > 0) return undefined;
    return substitutedOutput({ name: programName(words[0]?.text ?? ""), words, ...(input === undefined ? {} : { input }) });
  }

  #words(node: Command, context: WordContext): readonly ShellWord[] {
    const words = node.name === undefined ? [] : [...expandWord(node.name, context)];
    for (const argument of node.args) {
      if (argument.type === "Word") words.push(...expandWord(argument, context));
      else if (argument.value.type === "Word") {
        const { text, shape } = expandToText(argument.value, context);
        const name = `${argument.name}${argument.append === true ? "+" : ""}=`;
        words.push({ text: name + text, ...(shape === undefined ? {} : { shape: name + shape }) });
      } else words.push({ text: argument.text });
    }
    return words;
  }

  #command(node: Command, scope: Scope, via: Via): void {
    for (const child of node.prefix) this.#substitutions(child, scope, via);
    if (node.name !== undefined) this.#substitutions(node.name, scope, via);
    for (const child of node.suffix) this.#substitutions(child, scope, via);
    const context = this.#context(scope);
    const words = this.#words(node, context);
    if (evaluatedTexts(words).some((text) => /\$\(|`/.test(text)))
      this.list.fail(`\`${words[0]?.text}\` evaluates what it is given, and a command in that runs`);
    const assignments: ShellAssignment[] = [];
    for (const child of node.prefix) {
      if (child.type === "Assignment")
        assignments.push({ name: child.name, value: assignVariable(child, context, node.name === undefined) });
    }
    const redirections = readRedirections(node.redirects, context);
    this.list.start({ words, assignments, ...redirections, input: redirections.input ?? scope.input }, scope, via);
  }
}
