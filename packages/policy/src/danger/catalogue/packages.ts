import type { Danger } from "../danger.ts";

export const PACKAGE_DANGERS: readonly Danger[] = [
  {
    id: "publish",
    sentence: "Publishes for everybody; it cannot be taken back.",
    example: "npm publish",
    harmless: "npm publish --dry-run",
    risk: "high",
    reversible: false,
    forms: [
      {
        programs: ["npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv", "lerna", "vsce", "ovsx", "hatch", "flit", "melos"],
        words: [["publish"]],
        unless: ["--dry-run", "-n"],
      },
      { programs: ["yarn"], words: [["npm"], ["publish"]], unless: ["--dry-run"] },
      { programs: ["changeset"], words: [["publish"]] },
      { programs: ["twine"], words: [["upload"]] },
      { programs: ["gem"], words: [["push", "yank"]] },
      { programs: ["docker", "podman", "helm", "oras"], words: [["push"]] },
      { programs: ["docker"], words: [["image"], ["push"]] },
      { programs: ["docker"], words: [["buildx"], ["build"]], options: ["--push"] },
      { programs: ["mvn", "mvnw"], text: /(?:^| )(?:deploy|release:perform)(?: |$)/ },
      { programs: ["gradle", "gradlew"], text: /(?:^| )(?:\S*:)?publish\w*/ },
      { programs: ["dotnet"], words: [["nuget"], ["push", "delete"]] },
      { programs: ["pod"], words: [["trunk"], ["push", "delete", "deprecate"]] },
      { programs: ["goreleaser"], words: [["release"]], unless: ["--snapshot"] },
      { programs: ["semantic-release", "release-it"], unless: ["--dry-run", "-d"] },
      { programs: ["npm", "pnpm"], words: [["unpublish", "deprecate", "owner", "access", "dist-tag"]] },
      { programs: ["cargo"], words: [["yank", "owner"]] },
      { programs: ["gh"], words: [["release"], ["create"]] },
    ],
  },
  {
    id: "packages-remove",
    sentence: "Removes programs from the machine.",
    example: "apt-get purge -y postgresql",
    harmless: "apt-get update",
    risk: "medium",
    reversible: true,
    forms: [
      {
        programs: ["apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "snap", "flatpak", "apk", "winget", "choco", "scoop"],
        words: [["remove", "purge", "autoremove", "erase", "uninstall", "del", "rm"]],
      },
      { programs: ["brew", "port"], words: [["uninstall", "remove", "rm", "autoremove"]] },
      { programs: ["pacman", "yay", "paru"], text: /(?:^| )(?:-R\w*|--remove)(?: |$)/ },
      { programs: ["dpkg"], options: ["-r", "-P", "--remove", "--purge"] },
    ],
  },
];
