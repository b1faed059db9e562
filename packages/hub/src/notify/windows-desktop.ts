import type { Desktop } from "./desktop.ts";
import type { Environment, RunProgram } from "./run-program.ts";

/** Notifications belong to an application that Windows knows: that of PowerShell is there everywhere. */
const APP = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe";
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
      EARSHOT_APP: APP,
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
