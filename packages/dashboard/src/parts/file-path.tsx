import type { ReactNode } from "react";
import { homePath } from "../words/home-path.ts";

export interface FilePathProps {
  readonly path: string;
  readonly home: string | undefined;
  readonly className?: string;
}

/** A file path in short form, with the full path as a tooltip. */
export function FilePath({ path, home, className }: FilePathProps): ReactNode {
  return (
    <code className={className} title={path} dir="ltr">
      {homePath(path, home)}
    </code>
  );
}
