import { escapeXml, type Launch, wordsOf } from "./launch.ts";

export const TASK_NAME = "Earshot";

/**
 * A task that begins when this user logs on. Without the user's name in the trigger it would be everybody's, which takes an
 * administrator. The limits that Windows sets unless told otherwise (three days, not on battery) are lifted. A console program
 * would open a window; a console host without one runs it instead.
 */
export function writeLogonTask(launch: Launch, user: string): string {
  const line = ["--headless", launch.node, ...wordsOf(launch)].map(quoteArgument).join(" ");
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <RegistrationInfo><Description>Earshot hub, which hears AI agents on this machine</Description></RegistrationInfo>",
    `  <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>${escapeXml(user)}</UserId></LogonTrigger></Triggers>`,
    "  <Principals>",
    `    <Principal id="Author"><UserId>${escapeXml(user)}</UserId><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>`,
    "  </Principals>",
    "  <Settings>",
    "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>",
    "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>",
    "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>",
    "    <StartWhenAvailable>true</StartWhenAvailable>",
    "    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>",
    "    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>",
    "  </Settings>",
    '  <Actions Context="Author">',
    `    <Exec><Command>conhost.exe</Command><Arguments>${escapeXml(line)}</Arguments></Exec>`,
    "  </Actions>",
    "</Task>",
    "",
  ].join("\r\n");
}

/** As Windows programs take their command line apart: backslashes count only before a quote. */
function quoteArgument(text: string): string {
  if (/^[\w.:\\/-]+$/.test(text)) return text;
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
