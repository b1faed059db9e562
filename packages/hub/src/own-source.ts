/** The source of what the hub itself records, such as who paused it: no token can have this name. */
export const HUB_SOURCE = "Earshot";
