import type { ReactNode } from "react";
import { Link } from "../../parts/link.tsx";
import { hrefOf, usePlace } from "../../route.ts";
import { Edit } from "./edit.tsx";
import { Explain } from "./explain.tsx";
import { Overview } from "./overview.tsx";

const PARTS = [
  { part: "", name: "Rules", title: "Rules", view: Overview },
  { part: "edit", name: "Edit and try", title: "Edit and try the rules", view: Edit },
  { part: "explain", name: "Explain", title: "Explain an action", view: Explain },
] as const;

/** The policy: shown, tested, edited, explained. Each part has its own address. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function PolicyPage(): ReactNode {
  const { rest } = usePlace();
  const here = PARTS.find(({ part }) => part === (rest[0] ?? "")) ?? PARTS[0];
  return (
    <div className="policy">
      <h1>{here.title}</h1>
      <nav aria-label="Rules">
        <ul className="parts-list">
          {PARTS.map(({ part, name }) => (
            <li key={part}>
              <Link
                href={hrefOf("policy", ...(part === "" ? [] : [part]))}
                className="part-link"
                aria-current={part === here.part ? "page" : undefined}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <here.view />
    </div>
  );
}
