import { describe, expect, it } from "vitest";
import { homePath } from "./home-path.ts";

describe("a path in the home folder", () => {
  it.each([
    ["/home/ana/.earshot/policy.yaml", "/home/ana", "~/.earshot/policy.yaml"],
    ["/home/ana/.earshot/policy.yaml", "/home/ana/", "~/.earshot/policy.yaml"],
    ["C:\\Users\\ana\\.earshot\\policy.yaml", "C:\\Users\\ana", "~\\.earshot\\policy.yaml"],
    ["/home/ana", "/home/ana", "~"],
    ["/home/anastasia/x", "/home/ana", "/home/anastasia/x"],
    ["/srv/x", "/home/ana", "/srv/x"],
    ["/srv/x", "/", "/srv/x"],
    ["/srv/x", undefined, "/srv/x"],
  ])("%s with %s is %s", (path, home, shown) => {
    expect(homePath(path, home)).toBe(shown);
  });
});
