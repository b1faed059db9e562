import { cutAt } from "@earshot/terminal/passage";
import { comparisonKeyOf, normaliseForDiff, normaliseName, type Workspace, withoutWorkspace } from "../normalise.ts";
import type { Facet, FacetName, RunStep, StepKind } from "../step.ts";

/** Maximum number of characters kept for display. The comparison uses the whole text. */
const MAX_SHOWN = 1200;
/** Above this total number of characters in a run, texts are shortened further. */
const PLENTY = 40_000_000;
const MAX_SHOWN_THEN = 120;

/** Facets that are compared as names. */
const NAMES: ReadonlySet<FacetName> = new Set(["tool", "child", "agent", "state", "status", "outcome", "request", "type", "operation"]);

/** The texts held by a run, shared and counted. */
export class SharedTexts {
  readonly #facets = new Map<string, Facet>();
  #characters = 0;

  /** Short facets, such as names of tools and outcomes, occur repeatedly and are stored once. */
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

/** A step that later activities may extend. */
export class DraftStep {
  readonly kind: StepKind;
  name: string;
  readonly #facets: Facet[] = [];
  readonly #holding: SharedTexts;

  constructor(kind: StepKind, name: string, holding: SharedTexts) {
    this.kind = kind;
    this.name = name;
    this.#holding = holding;
  }

  has(name: FacetName): boolean {
    return this.#facets.some((facet) => facet.name === name);
  }

  /** Overwrites the facet; empty text changes nothing. */
  set(name: FacetName, said: string | undefined, workspace?: Workspace): void {
    const text = said?.trim() ?? "";
    if (text === "") return;
    const shown = cutAt(withoutWorkspace(cutAt(text, 2 * MAX_SHOWN), workspace), this.#holding.mostShown);
    const normal = NAMES.has(name) ? normaliseName(text) || text : normaliseForDiff(text, workspace);
    // Copies truncated text, because a slice would keep the whole text in memory.
    const kept = shown.length < text.length ? Buffer.from(shown).toString() : shown;
    const same = normal === kept ? kept : normal;
    const facet = this.#holding.keep({ name, text: kept, same: comparisonKeyOf(same) });
    const index = this.#facets.findIndex((one) => one.name === name);
    if (index < 0) this.#facets.push(facet);
    else this.#facets[index] = facet;
  }

  /** Sets the facet unless it is present. */
  setOnce(name: FacetName, text: string | undefined, workspace?: Workspace): void {
    if (!this.has(name)) this.set(name, text, workspace);
  }

  finish(unwanted: ReadonlySet<FacetName>): RunStep {
    const facets = unwanted.size === 0 ? this.#facets : this.#facets.filter(({ name }) => !unwanted.has(name));
    return { kind: this.kind, name: this.name, facets };
  }
}
