import type { Activity, ActivityKind } from "@earshot/protocol/activities";
import type { Told } from "./told.ts";

export type OfKind<Kind extends ActivityKind> = Extract<Activity, { readonly kind: Kind }>;
export type Teller<Kind extends ActivityKind> = (activity: OfKind<Kind>) => Told;
export type Tellers<Kind extends ActivityKind> = { readonly [One in Kind]: Teller<One> };
