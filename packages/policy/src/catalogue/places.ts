import { AGENT_PATHS } from "@earshot/protocol/coding-agents";

/** Files and folders that do harm when they are changed. Patterns are those of rules: see match/path-pattern.ts. */
export interface Place {
  readonly effect: string;
  readonly paths: readonly string[];
  readonly except?: readonly string[];
  /** A path with the effect, and one that looks like it. */
  readonly example: string;
  readonly counterexample: string;
  /** Also where it is only guessed that a program writes to it. */
  readonly guessed?: true;
}

/** Folders of agents that hooks cannot be registered with. */
const OTHER_AGENTS = ".junie .trae .abacusai .roo .continue .aider .snowflake".split(" ");

export const PLACES: readonly Place[] = [
  {
    effect: "earshot-files",
    paths: ["{earshot}", "{earshot}/**", "**/.earshot", "**/.earshot/**"],
    example: "~/.earshot/policy.yaml",
    counterexample: "src/.earshot-notes.md",
    guessed: true,
  },
  {
    effect: "agent-settings",
    paths: [
      ...AGENT_PATHS,
      ...OTHER_AGENTS.flatMap((folder) => [`**/${folder}`, `**/${folder}/**`]),
      "~/.config/zed",
      "~/.config/zed/**",
      "**/.mcp.json",
      "**/mcp.json",
      "**/.aider.conf.yml",
    ],
    except: [
      ..."**/.claude/worktrees/** **/.claude/plans/** **/.claude/projects/** **/.claude/todos/** **/.cursor/rules/** **/.windsurf/rules/** **/.windsurf/workflows/** **/.kiro/specs/** **/.kiro/steering/** **/.gemini/tmp/**".split(
        " ",
      ),
    ],
    example: ".claude/settings.local.json",
    counterexample: ".claude/plans/cart.md",
    guessed: true,
  },
  {
    effect: "write-startup",
    paths: [
      ..."bashrc bash_profile bash_login bash_logout bash_aliases profile zshrc zshenv zprofile zlogin zlogout inputrc xprofile xinitrc xsession gitconfig npmrc yarnrc netrc pypirc vimrc gvimrc nanorc emacs screenrc tmux.conf wgetrc curlrc editrc pythonrc Rprofile irbrc pryrc gemrc pam_environment forward"
        .split(" ")
        .flatMap((name) => [`~/.${name}`]),
      ..."bashrc zshrc zshenv zprofile bash_profile profile".split(" ").map((name) => `**/.${name}`),
      ..."~/.ssh ~/.gnupg ~/.aws ~/.kube ~/.docker ~/.config/systemd ~/.config/autostart ~/.config/fish ~/.config/git ~/.local/share/systemd ~/.local/bin ~/bin ~/.oh-my-zsh ~/Library/LaunchAgents ~/Library/Services ~/Library/KeyBindings"
        .split(" ")
        .flatMap((folder) => [folder, `${folder}/**`]),
      ..."/etc/cron* /etc/cron*/** /var/spool/cron/** /Library/LaunchDaemons/** /Library/LaunchAgents/**".split(" "),
      ..."**/.git/hooks **/.git/hooks/** **/.git/config **/.git/modules/** **/.git/info/** **/.husky **/.husky/** **/.githooks/** **/.lefthook/** **/lefthook.yml".split(
        " ",
      ),
      ..."**/.vscode/tasks.json **/.vscode/settings.json **/.vscode/launch.json **/.vscode/extensions/** **/.idea/runConfigurations/** **/.envrc **/.npmrc **/.yarnrc.yml **/.yarnrc **/.pnpmfile.cjs **/.devcontainer/** **/.exrc **/.nvimrc **/.vimrc **/.lldbinit **/.gdbinit **/.zed/settings.json **/.zed/tasks.json **/.pryrc **/.irbrc **/.Rprofile **/sitecustomize.py **/usercustomize.py **/site-packages/*.pth **/.mise.toml **/.cargo/config.toml **/.cargo/config **/pip.conf **/.direnvrc".split(
        " ",
      ),
    ],
    except: ["**/.husky/_/**", "~/.docker/buildx/**", "~/.gnupg/S.*"],
    example: "~/.bashrc",
    counterexample: "src/profile.ts",
    guessed: true,
  },
  {
    effect: "write-system",
    paths: [
      "/",
      ..."bin boot etc lib lib32 lib64 proc sbin sys usr System Library root"
        .split(" ")
        .flatMap((folder) => [`/${folder}`, `/${folder}/**`]),
      "C:/Windows/**",
      "C:/Program Files/**",
      "C:/ProgramData/**",
    ],
    except: ["/usr/local/share/**", "/usr/local/src/**", "/usr/src/**"],
    example: "/etc/hosts",
    counterexample: "/tmp/hosts",
  },
  {
    effect: "disk-device",
    paths: [
      "/dev/sd*",
      "/dev/hd*",
      "/dev/vd*",
      "/dev/xvd*",
      "/dev/nvme*",
      "/dev/mmcblk*",
      "/dev/disk*",
      "/dev/rdisk*",
      "/dev/mapper/*",
      "/dev/md*",
      "/dev/dm-*",
      "/dev/mem",
      "/dev/kmem",
    ],
    example: "/dev/sda",
    counterexample: "/dev/null",
  },
];
