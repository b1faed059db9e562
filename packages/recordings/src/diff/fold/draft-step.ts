import { cutAt } from "@earshot/terminal/passage";
import { normalise, normaliseName, sameness, type Workspace, withoutWorkspace } from "../normalise.ts";
import type { Facet, FacetName, Step, StepKind } from "../step.ts";

/** So much of a text is kept to be shown; all of it is compared. */
const MAX_SHOWN = 1200;
/** Once a run holds so many characters, texts are cut shorter. */
const PLENTY = 40_000_000;
const MAX_SHOWN_THEN = 120;

/** Names are compared as names. */
const NAMES: ReadonlySet<FacetName> = new Set(["tool", "child", "agent", "state", "status", "outcome", "request", "type", "operation"]);

/** What a run holds so far. */
export class Holding {
  readonly #facets = new Map<string, Facet>();
  #characters = 0;

  /** Short ones come again and again, as the names of tools and outcomes do: each is kept once. */
  keep(facet: Facet): Facet {
    const { name, text, same } = facet;
    const key = text.length + same.length > LONGEST_SHARED ? undefined : `${name}\n${text}\n${same}`;
    const known = key === undefined ? undefined : this.#facets.get(key);
    if (known !== undefined) return known;
    if (key !== undefined && this.#facets.size < MAX_SHARED) this.#facets.set(key, facet);
    this.#characters += text.length;
    return facet;
  }

  get mostShown(): number {
    return this.#characters > PLENTY ? MAX_SHOWN_THEN : MAX_SHOWN;
  }
}

const LONGEST_SHARED = 160;
const MAX_SHARED = 20_000;

/** A step of which more may be heard. */
export class DraftStep {
  readonly kind: StepKind;
  name: string;
  readonly #facets: Facet[] = [];
  readonly #holding: Holding;

  constructor(kind: StepKind, name: string, holding: Holding) {
    this.kind = kind;
    this.name = name;
    this.#holding = holding;
  }

  has(name: FacetName): boolean {
    return this.#facets.some((facet) => facet.name === name);
  }

  /** What is said anew counts; what says nothing changes nothing. */
  set(name: FacetName, said: string | undefined, workspace?: Workspace): void {
    const text = said?.trim() ?? "";
    if (text === "") return;
    const shown = cutAt(withoutWorkspace(cutAt(text, 2 * MAX_SHOWN), workspace), this.#holding.mostShown);
    const normal = NAMES.has(name) ? normaliseName(text) || text : normalise(text, workspace);
    // A copy where it was cut: a slice would keep the whole text.
    const kept = shown.length < text.length ? Buffer.from(shown).toString() : shown;
    const same = normal === kept ? kept : normal;
    const facet = this.#holding.keep({ name, text: kept, same: sameness(same) });
    const index = this.#facets.findIndex((one) => one.name === name);
    if (index < 0) this.#facets.push(facet);
    else this.#facets[index] = facet;
  }

  /** Set unless it is known already. */
  setOnce(name: FacetName, text: string | undefined, workspace?: Workspace): void {
    if (!this.has(name)) this.set(name, text, workspace);
  }

  finish(unwanted: ReadonlySet<FacetName>): Step {
    const facets = unwanted.size === 0 ? this.#facets : this.#facets.filter(({ name }) => !unwanted.has(name));
    return { kind: this.kind, name: this.name, facets };
  }
}
