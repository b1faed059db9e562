export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a program with exactly these words: no shell reads them. Gives what it printed; rejects with what it complained about. */
export type RunProgram = (words: readonly string[], more?: Environment) => Promise<string>;

/** What is shown: who and what kind of thing, never what an agent wants to run. */
export interface Note {
  readonly title: string;
  readonly body: string;
  /** Stays until somebody has seen it, where the desktop knows such a thing. */
  readonly isUrgent: boolean;
}

/** A way to show something on the person's desktop, whether or not a browser is open. */
export interface Desktop {
  /** In words: `org.freedesktop.Notifications, by notify-send`. */
  readonly name: string;
  /** Whether what was shown can be taken away again. */
  readonly withdraws: boolean;
  /** Gives what it is taken away by, where that can be. Rejects when it could not be shown. */
  show(note: Note): Promise<string | undefined>;
  withdraw(handle: string): Promise<void>;
}

/** A desktop, or why there is none. */
export type Found = { readonly desktop: Desktop } | { readonly why: string };

const APP = "Earshot";

/** The desktop's own service for notifications, by notify-send. It cannot withdraw a note: it replaces it with a word that expires at once. */
export function createNotifySendDesktop(notifySend: string, run: RunProgram): Desktop {
  const send = ({ title, body, isUrgent }: Note, ...more: readonly string[]) =>
    run([
      notifySend,
      `--app-name=${APP}`,
      `--urgency=${isUrgent ? "critical" : "low"}`,
      `--icon=${iconOf(isUrgent)}`,
      ...more,
      "--",
      title,
      body,
    ]);
  let tellsIds = true;
  return {
    name: "org.freedesktop.Notifications, by notify-send",
    withdraws: true,
    async show(note) {
      if (!tellsIds) {
        await send(note);
        return undefined;
      }
      try {
        return /^\d+/.exec(await send(note, "--print-id"))?.[0];
      } catch (error) {
        if (!(error instanceof Error && /print-id/.test(error.message))) throw error;
        tellsIds = false; // an older one
        await send(note);
        return undefined;
      }
    },
    async withdraw(handle) {
      await send({ title: "Earshot", body: "Answered.", isUrgent: false }, `--replace-id=${handle}`, "--expire-time=1");
    },
  };
}

function iconOf(isUrgent: boolean): string {
  return isUrgent ? "dialog-warning" : "dialog-information";
}

/** The words come as arguments, so that nothing in them is read as a script. */
const SCRIPT = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"] as const;

/** macOS. What was shown cannot be taken away again. */
export function createMacDesktop(osascript: string, run: RunProgram): Desktop {
  return {
    name: "Notification Centre, by osascript",
    withdraws: false,
    async show({ title, body }) {
      await run([osascript, ...SCRIPT.flatMap((line) => ["-e", line]), title, body]);
      return undefined;
    },
    async withdraw() {},
  };
}

/** Notifications belong to an application that Windows knows: that of PowerShell is there everywhere. */
const WINDOWS_APP = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe";
const MANAGER = "[Windows.UI.Notifications.ToastNotificationManager]";
const LOAD = [
  "$ErrorActionPreference = 'Stop'",
  "[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ContentType = WindowsRuntime]",
] as const;
/** The words come in the environment, so that nothing in them is read as a script. */
const SHOW = [
  ...LOAD,
  `$xml = ${MANAGER}::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)`,
  "$texts = $xml.GetElementsByTagName('text')",
  "[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:EARSHOT_TITLE))",
  "[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:EARSHOT_BODY))",
  "$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)",
  "$toast.Tag = $env:EARSHOT_TAG",
  "$toast.Group = 'Earshot'",
  `${MANAGER}::CreateToastNotifier($env:EARSHOT_APP).Show($toast)`,
] as const;
const WITHDRAW = [...LOAD, `${MANAGER}::History.Remove($env:EARSHOT_TAG, 'Earshot', $env:EARSHOT_APP)`] as const;

/** Windows 10 and later. */
export function createWindowsDesktop(powershell: string, run: RunProgram): Desktop {
  let count = 0;
  const script = (lines: readonly string[], words: Environment) =>
    run([powershell, "-NoProfile", "-NonInteractive", "-EncodedCommand", Buffer.from(lines.join("\n"), "utf16le").toString("base64")], {
      EARSHOT_APP: WINDOWS_APP,
      ...words,
    });
  return {
    name: "Windows notifications, by PowerShell",
    withdraws: true,
    async show({ title, body }) {
      const tag = `${process.pid}-${++count}`;
      await script(SHOW, { EARSHOT_TITLE: title, EARSHOT_BODY: body, EARSHOT_TAG: tag });
      return tag;
    },
    async withdraw(handle) {
      await script(WITHDRAW, { EARSHOT_TAG: handle });
    },
  };
}
