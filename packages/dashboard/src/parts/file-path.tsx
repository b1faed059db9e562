import type { ReactNode } from "react";
import { homePath } from "../words/home-path.ts";

export interface FilePathProps {
  readonly path: string;
  readonly home: string | undefined;
  readonly className?: string;
}

/** Where a file is, as short as a person would say it, and in full for whoever points at it. */
export function FilePath({ path, home, className }: FilePathProps): ReactNode {
  return (
    <code className={className} title={path} dir="ltr">
      {homePath(path, home)}
    </code>
  );
}
