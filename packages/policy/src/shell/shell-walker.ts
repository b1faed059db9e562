import {
  type Command,
  type For,
  forEachChild,
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
import { SimpleCommandList, startOfWords, type WrapperChain } from "./command-list.ts";
import { constantOutput, substitutedOutput } from "./constant-output.ts";
import { evaluatedInTest, evaluatesCommand, isAmbiguous, runsInArithmetic, runsInGlob, runsInParameter } from "./evaluated.ts";
import { expandToText, expandWord, type WordContext } from "./expand-word.ts";
import type { ShellContext } from "./read-shell.ts";
import { readRedirections } from "./redirections.ts";
import { assignedNames, assignVariable, forgetEverything, forgetNames, forkScope, type ShellScope } from "./scope.ts";
import { type ShellAssignment, type ShellWord, type SimpleCommand, UNKNOWN_PART } from "./shell-command.ts";

const MAX_ROUNDS = 8;
/** Nested loops multiply; no hand-written text needs so many steps. */
const MAX_STEPS = 20_000;

/** Walks a parsed text in execution order and tracks the known state at each point in a scope. */
export class ShellWalker {
  readonly list: SimpleCommandList;
  readonly #home: string | undefined;
  #steps = 0;

  constructor(context: ShellContext) {
    this.#home = context.home;
    this.list = new SimpleCommandList(context, (text, scope, via) => this.text(text, scope, via));
  }

  text(text: string, scope: ShellScope, via: WrapperChain): void {
    this.list.deeper(() => {
      try {
        this.#script(parse(text), scope, via);
      } catch {
        // The parser is documented not to throw; if it does, the text is unreadable.
        this.list.fail("it cannot be parsed");
      }
    });
  }

  #script(script: ParsedScript, scope: ShellScope, via: WrapperChain): void {
    const [error] = script.errors ?? [];
    if (error !== undefined) this.list.fail(`it cannot be parsed: ${error.message}`);
    for (const { command } of script.commands) if (command.type === "Function") forgetNames(scope, assignedNames(command));
    this.#statements(script.commands, scope, via);
  }

  #statements(statements: readonly Statement[], scope: ShellScope, via: WrapperChain): void {
    for (const { command, background } of statements) {
      this.#node(command, background === true ? forkScope(scope) : scope, via);
      // The next line runs even if the `cd` of this one failed.
      if (scope.moved) scope.cwd = { ...scope.cwd, sure: false };
      scope.moved = false;
    }
  }

  #node(node: SyntaxNode, scope: ShellScope, via: WrapperChain): void {
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
        // Runs in its own process, so nothing it sets comes back.
        this.#node(node.body, forkScope(scope), via);
        break;
      case "If":
        this.#node(node.clause, scope, via);
        for (const part of [node.then, ...node.elif, ...(node.else === undefined ? [] : [node.else])]) this.#maybe(part, scope, via);
        break;
      case "Elif":
        for (const part of [node.clause, node.then]) this.#node(part, scope, via);
        break;
      case "Case":
        this.#substitutions(node.word, scope, via);
        for (const { pattern, body } of node.items) {
          for (const one of pattern) this.#substitutions(one, scope, via);
          this.#maybe(body, scope, via);
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
        // A function runs whenever it is called, with the state at that point.
        const inside = forkScope(scope);
        forgetEverything(inside);
        inside.cwd = { ...scope.cwd, sure: false };
        this.#node(node.body, inside, via);
        break;
      }
      case "Redirected":
        this.#redirected(node, scope, via);
        break;
      default:
        if (node.type === "ArithmeticCommand") this.#arithmetic(node.body, scope);
        if (node.type === "TestCommand") this.#test(node.expression, scope, via);
        this.#substitutions(node, scope, via);
    }
  }

  #redirected({ command, redirects }: Redirected, scope: ShellScope, via: WrapperChain): void {
    const redirections = readRedirections(redirects, this.#context(scope));
    for (const redirect of redirects) this.#substitutions(redirect, scope, via);
    this.list.start({ ...startOfWords([]), ...redirections, truncates: [] }, scope, via);
    const before = scope.input;
    scope.input = redirections.input ?? before;
    this.#node(command, scope, via);
    scope.input = before;
  }

  /** Runs conditionally: what it sets may or may not hold afterwards. */
  #maybe(node: SyntaxNode, scope: ShellScope, via: WrapperChain): void {
    const inside = forkScope(scope);
    this.#node(node, inside, via);
    forgetNames(scope, assignedNames(node));
    if (inside.cwd.path !== scope.cwd.path) scope.cwd = { path: undefined, sure: false };
  }

  /** The right side of `||`. If it leaves the shell, the left side has succeeded for everything that follows. */
  #otherwise(node: SyntaxNode, scope: ShellScope, via: WrapperChain): void {
    const leaves = node.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
    const inside = forkScope(scope);
    this.#node(node, inside, via);
    forgetNames(scope, assignedNames(node));
    if (leaves) scope.moved = false;
    else if (scope.moved || inside.cwd.path !== scope.cwd.path) scope.cwd = { ...scope.cwd, sure: false };
  }

  /** Runs repeatedly: a round sees what an earlier round set. */
  #again(loop: SyntaxNode, parts: readonly SyntaxNode[], scope: ShellScope, via: WrapperChain): void {
    this.#rounds(assignedNames(loop), scope, (inside) => {
      for (const part of parts) this.#node(part, inside, via);
    });
  }

  #each(node: For | Select, scope: ShellScope, via: WrapperChain): void {
    const { name, body, wordlist = [] } = node;
    for (const word of wordlist) this.#substitutions(word, scope, via);
    const values = wordlist.flatMap((word) => expandWord(word, this.#context(scope)));
    // A pattern stands for names of its own shape; a hole may be several words.
    const known = values.every(({ shape, process }) => process === undefined && shape?.includes(UNKNOWN_PART) !== true);
    const constants = node.type === "For" && values.length > 0 && values.length <= MAX_ROUNDS && known ? values : [null];
    const names = assignedNames(body);
    this.#rounds(names, scope, (inside) => {
      for (const value of constants) {
        inside.variables.set(name.value, names.has(name.value) ? null : value);
        this.#node(body, inside, via);
      }
    });
    forgetNames(scope, [name.value]);
  }

  /** The rounds of a loop. If a round changes the folder, each command of the loop may run in a different folder than the first time. */
  #rounds(names: Iterable<string>, scope: ShellScope, run: (inside: ShellScope) => void): void {
    const { commands } = this.list;
    const first = commands.length;
    forgetNames(scope, names);
    const inside = forkScope(scope);
    run(inside);
    forgetNames(scope, names);
    if (inside.cwd.path === scope.cwd.path) return;
    for (const [index, command] of commands.entries())
      if (index >= first) commands[index] = { ...command, cwd: { ...command.cwd, sure: false } };
    scope.cwd = { path: undefined, sure: false };
  }

  #pipeline({ commands }: Pipeline, scope: ShellScope, via: WrapperChain): void {
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

  /** The commands inside `$(…)`, `<(…)` and backquotes, anywhere in a node. */
  #substitutions(node: SyntaxNode, scope: ShellScope, via: WrapperChain): void {
    if (node.type === "Word" && node.parts === undefined) return;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution" || node.type === "ArithmeticCommandExpansion") {
      const { script } = node;
      if (script === undefined) this.list.fail("a substitution in it has no end");
      else this.list.deeper(() => this.#script(script, forkScope(scope), via));
      return;
    }
    if (node.type === "ArithmeticExpansion") this.#arithmetic(node.text, scope);
    if (node.type === "ParameterExpansion") {
      if (runsInParameter(node)) this.list.fail(`\`${node.text}\` runs the commands in a variable`);
      if (node.operation?.type === "Slice") this.#evaluates(node.text, scope);
    }
    if (node.type === "ExtendedGlob" && runsInGlob(node.pattern)) this.list.fail("a pattern in it may run commands in zsh");
    forEachChild(node, (child) => this.#substitutions(child, scope, via));
  }

  #arithmetic(text: string, scope: ShellScope): void {
    if (isAmbiguous(text)) this.list.fail("`((` may begin arithmetic, or commands");
    this.#evaluates(text, scope);
  }

  #evaluates(text: string, scope: ShellScope): void {
    if (runsInArithmetic(text, scope)) this.list.fail("arithmetic in it runs a command");
  }

  /** `[[ … ]]`: most tests only read; numeric comparisons and tests of a variable evaluate their operands. */
  #test(node: TestExpression, scope: ShellScope, via: WrapperChain): void {
    if (node.type === "TestLogical") for (const operand of node.operands) this.#test(operand, scope, via);
    else if (node.type === "TestNot") this.#test(node.operand, scope, via);
    else if (node.type === "TestGroup") this.#test(node.expression, scope, via);
    else {
      const words = node.type === "TestUnary" ? [node.operand] : [node.left, node.right];
      const texts = words.map((word) => expandToText(word, this.#context(scope)));
      const evaluated = evaluatedInTest(node.operator, texts);
      if (evaluated === "runs") this.list.fail("a test in it runs a command");
      const operator = { text: node.operator };
      const listed = [{ text: "[[" }, ...(texts.length === 1 ? [operator, ...texts] : [...texts.slice(0, 1), operator, ...texts.slice(1)])];
      if (evaluated !== "no") this.list.start(startOfWords(listed), scope, via);
    }
  }

  #context(scope: ShellScope): WordContext {
    return { scope, home: this.#home, substitute: (script, at) => this.#substituted(script, at) };
  }

  /** `$(echo x)` is x. */
  #substituted({ commands: [statement, ...others] }: ParsedScript, scope: ShellScope): ShellWord | undefined {
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

  #command(node: Command, scope: ShellScope, via: WrapperChain): void {
    for (const child of node.prefix) this.#substitutions(child, scope, via);
    if (node.name !== undefined) this.#substitutions(node.name, scope, via);
    for (const child of node.suffix) this.#substitutions(child, scope, via);
    const context = this.#context(scope);
    const words = this.#words(node, context);
    if (evaluatesCommand(words)) this.list.fail(`\`${words[0]?.text}\` evaluates what it is given, and a command in that runs`);
    const assignments = node.prefix.flatMap((child): readonly ShellAssignment[] =>
      child.type === "Assignment" ? [{ name: child.name, value: assignVariable(child, context, node.name === undefined) }] : [],
    );
    const redirections = readRedirections(node.redirects, context);
    this.list.start({ words, assignments, ...redirections, input: redirections.input ?? scope.input }, scope, via);
  }
}
