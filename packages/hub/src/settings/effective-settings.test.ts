import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALERT_THRESHOLDS } from "../views/alerts/detector.ts";
import { combineSettings, listSettings } from "./effective-settings.ts";
import { parseSettings } from "./read-settings.ts";

test("the documented thresholds are the defaults, all of them", () => {
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/config.md", "utf8")) ?? [];
  const read = parseSettings(example);
  expect(read.ok && read.value.alerts).toEqual(ALERT_THRESHOLDS);
});

test("thresholds are listed with where they come from, and a flag leaves the others as they are", () => {
  const settings = combineSettings({ alerts: { failures: 7 } }, { alerts: { failures: 5, lowThoughts: 4 } });
  expect(settings).toEqual({ alerts: { failures: 7, lowThoughts: 4 } });
  const listed = listSettings({}, { settings: { alerts: { failures: 5 } }, from: "file" });
  expect(listed).toContainEqual({ key: "alerts.failures", value: 5, from: "file" });
  expect(listed).toContainEqual({ key: "alerts.stallSeconds", value: 90, from: "default" });
});
