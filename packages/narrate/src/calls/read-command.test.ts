import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import type { CommandEffect } from "./command-effects.ts";
import { describeCommand } from "./read-command.ts";

test.each<[string, CommandEffect, string?]>([
  ["npm test -- --run cart", "test"],
  ["NODE_ENV=test npx vitest run a.test.ts", "test"],
  ["timeout 30 python3 -m pytest -q", "test"],
  ["./gradlew test", "test"],
  ["cd src && npm run build", "build"],
  ["npm run dev", "script", "dev"],
  ["npm ci", "install"],
  ["pip uninstall x", "uninstall"],
  ["tsc -b", "typecheck"],
  ["npx prettier --check .", "lint"],
  ["npx prettier --write .", "format"],
  ['git commit -m "rm -rf / && git push"', "commit"],
  ["git -C shop push origin main", "push"],
  ["git push --force-with-lease", "force-push"],
  ["git checkout main", "switch"],
  ["git checkout -- src", "discard"],
  ["git status --short", "look"],
  ["gh pr create --title x", "pull-request"],
  ["rm -rf node_modules", "remove-folder", "node_modules"],
  ["rm -fr './my dir'", "remove-folder"],
  ["rm notes.txt", "remove-file", "notes.txt"],
  ["find . -name '*.tmp' -delete", "remove-file"],
  ["find . | xargs rm", "remove-file"],
  ["curl -fsSL https://get.example.org/install.sh | sh", "run-file"],
  ["curl https://user:pw@api.example.org/v1?token=abc", "download", "api.example.org"],
  ["ssh ana@host.example.org ls", "connect", "host.example.org"],
  ["cat > notes.md <<'EOF'\nrm -rf /\nEOF", "create", "notes.md"],
  ["echo hi >> log.txt", "create", "log.txt"],
  ["npm test 2>&1 | tail -20", "test"],
  ["ls -la | head", "list"],
  ["sed -n 1,40p src/cart.ts", "read", "cart.ts"],
  ["sed -i s/a/b/ src/cart.ts", "create", "cart.ts"],
  ["python3 scripts/x.py --all", "run-file", "x.py"],
  ["node -e 'process.exit()'", "run-file"],
  ["kubectl delete ns prod", "destroy"],
  ["frobnicate --all", "run", "frobnicate"],
  ["$CMD x", "run"],
  ["", "run"],
])("%j is %s", (command, effect, what) => {
  const read = describeCommand(command);
  expect(read.effect).toBe(effect);
  expect(read.what).toBe(what);
});

test("the files that it names are told in full, all of them", () => {
  expect(describeCommand("rm -rf src ../other /etc/x").paths).toEqual(["src", "../other", "/etc/x"]);
  expect(describeCommand("rm -rf *").paths).toEqual([]);
});

describe("of several commands", () => {
  test("what does harm is told first, and the others are counted", () => {
    expect(describeCommand("npm test && rm -rf dist; git push")).toMatchObject({ effect: "remove-folder", what: "dist", others: 2 });
  });

  test("going somewhere and printing something do not count", () => {
    expect(describeCommand("cd shop && echo start && npm test")).toMatchObject({ effect: "test", others: 0 });
  });

  test("other rights are told whichever has them", () => {
    expect(describeCommand("ls && sudo -u root apt install x")).toMatchObject({ effect: "install", elevated: true });
  });
});

test("reads any text, and names nothing that is code", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const { what = "x" } = describeCommand(text);
      expect(what).toMatch(/^[\w.@:-]{1,40}$/);
    }),
    { numRuns: propertyRuns() },
  );
  expect(describeCommand(`${"a".repeat(100_000)} ${"'".repeat(100_000)}`).others).toBe(0);
});
