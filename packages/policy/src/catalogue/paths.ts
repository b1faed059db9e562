import { namesLike } from "./names.ts";

/** Build output, which can be regenerated. */
export const BUILD_OUTPUT = namesLike("made by a build", "i");

/** Data files that are usually not under version control. */
export const UNVERSIONED =
  /\.(?:db|db3|sqlite3?|mdb|accdb|dump|dmp|rdb|parquet|ldb|kdbx|pst|ova|vmdk|qcow2|vdi|env)$|\/\.env(?:\.(?!example|sample|template)[^/]*)?$|\/\.git(?:\/(?!.{0,1000}\.lock$)|$)/i;

/** Folders in the home folder that hold copies of data stored elsewhere. */
export const HOME_CACHES =
  /^~\/(?:\.cache|\.npm|\.yarn|\.pnpm-store|\.bun\/install|\.cargo\/(?:registry|git)|\.m2\/repository|\.gradle\/caches|\.nuget\/packages|\.local\/share\/(?:pnpm|Trash)|\.terraform\.d\/plugin-cache|\.rustup\/(?:tmp|downloads)|\.docker\/(?:scout|buildx)|\.deno|\.expo|\.dotnet\/tools|\.gem\/cache|\.conda\/pkgs|\.claude\/(?:projects|plans|todos|worktrees|shell-snapshots|tmp)|Library\/(?:Caches|Developer\/Xcode\/DerivedData)|go\/pkg)(?:\/|$)/;
