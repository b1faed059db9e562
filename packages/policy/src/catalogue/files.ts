import { DRY_OR_N, type Rows } from "./row.ts";

const REMOVE = "rm|srm|rimraf|del|rd|erase|trash|trash-put|unlink|gio";
const CHANGED = "<kept outside system unknown broad device>";

/** Files and disks. */
export const FILES: Rows = {
  "delete-recursive": [
    [`rm [-r -R --recursive -d --dir] <kept outside system unknown broad>`, "rm -rf src", "rm -rf node_modules"],
    ["rm [-r -R --recursive] <temporary> ~belongings", "rm -rf /tmp/other-worktree", "rm -rf /tmp/build-4711"],
    ["srm|rimraf|del|rd|erase|trash|trash-put <kept outside system unknown broad>", "rimraf src", "rimraf dist"],
    ["rmdir [-p --parents /s]", "rmdir -p a/b/c", "rmdir empty"],
    ["cmake -E rm|remove|remove_directory <kept outside system unknown broad>", "cmake -E rm -rf src", "cmake -E echo src"],
    ["gio remove|trash <kept outside system unknown broad>", "gio trash src", "gio info src"],
  ],
  "delete-broad": [[`${REMOVE}|shred <broad system device>`, "rm -f *", "rm -f notes.log"]],
  "delete-outside": [[`${REMOVE} <outside>`, "rm ~/notes.txt", "rm notes.txt"]],
  "delete-unknown": [[`${REMOVE} <unknown>`, 'rm "$FILE"', "rm a.txt"]],
  "delete-several": [
    [`${REMOVE} {several}`, "rm src/a.ts src/b.ts src/c.ts", "rm src/a.ts"],
    [`${REMOVE} {unversioned}`, "rm app.db", "rm app.log"],
  ],
  "find-delete": [
    ["find|fd|fdfind [-delete] {finds-kept}", "find . -name '*.ts' -delete", "find . -name '*.pyc' -delete"],
    ["rdfind|fdupes|jdupes [-d --delete -N -deleteduplicates]", "fdupes -rdN .", "fdupes -r ."],
  ],
  shred: [
    ["shred|srm|wipe|sdelete|scrub|nwipe", "shred -u secrets.txt", "ls secrets.txt"],
    ["bleachbit [-c --clean -s --shred]", "bleachbit --shred src", "bleachbit --list"],
  ],
  truncate: [
    [`truncate [-s --size -r --reference] ${CHANGED}`, "truncate -s 0 data.db", "truncate -s 0 dev.log"],
    [
      "fallocate [-p -c -z --punch-hole --collapse-range --zero-range] <kept outside system unknown>",
      "fallocate -p -l 9 a.db",
      "fallocate -l 9 a.log",
    ],
  ],
  overwrite: [
    ["* {empties}", ": > src/app.ts", ": > dev.log"],
    ["* {onto-itself}", "sort src/a.txt > src/a.txt", "sort src/a.txt > src/b.txt"],
    ["sed|gsed [-i --in-place] ~every-line", "sed -i d src/app.ts", "sed -i 3d src/app.ts"],
    ["sed|gsed|perl|ruby [-i --in-place] [-n --quiet] !~prints", "perl -i -ne 1 src/app.ts", "perl -i -pe 1 src/app.ts"],
    ["ln [-f --force] <kept> ~nothing", "ln -sf /dev/null src/app.ts", "ln -sf v2 current"],
  ],
  "pack-away": [
    ["gzip|bzip2|xz|lzma|lz4|zstd|compress [-r --recursive] ![-d --decompress -k --keep -t -l]", "gzip -r src", "gzip -k src/a.txt"],
    ["gzip|bzip2|xz|lzma|compress ~several-operands ![-d --decompress -k --keep -c --stdout -t -l]", "bzip2 src/*.ts", "bzip2 big.log"],
    [
      "gzip|bzip2|xz|lzma|compress <unknown> ![-d --decompress -k --keep -c --stdout -t -l]",
      "find . -exec gzip {} +",
      "find . -exec gunzip {} +",
    ],
    ["tar|bsdtar|gtar [--remove-files]", "tar cf x.tar --remove-files src", "tar cf x.tar src"],
    ["zip [-m --move]", "zip -rm x.zip src", "zip -r x.zip src"],
    ["7z|7za|7zz|rar [-sdel -df -dr -dw]", "7z a -sdel x.7z src", "7z a x.7z src"],
    ["openssl|gpg|age|ccrypt {onto-itself}", "openssl enc -aes256 -in a.ts -out a.ts -k x", "openssl enc -aes256 -in a.ts -out a.enc -k x"],
    ["ccrypt|ccencrypt|aescrypt|cryptmount [-e --encrypt -r]", "ccrypt -e src/app.ts", "ccrypt --version"],
  ],
  "move-away": [
    ["mv|rename|gmv <broad system>", "mv /etc/hosts /tmp/hosts", "mv a.txt b.txt"],
    ["mv|gmv {away}", "mv src /tmp/gone", "mv src/a.ts src/b.ts"],
  ],
  "sync-delete": [
    [
      "rsync [--delete --del --delete-before --delete-after --delete-excluded --remove-source-files] ![-n --dry-run]",
      "rsync -a --delete src/ backup/",
      "rsync -a src/ backup/",
    ],
    ["robocopy [/mir /purge /move]", "robocopy a b /mir", "robocopy a b"],
    ["unison [-force -prefer]", "unison -force a a b", "unison a b"],
  ],
  "permissions-recursive": [
    [
      "chmod|chown|chgrp|setfacl|chflags|chattr|icacls|takeown [-R --recursive] <broad system outside unknown kept> !~plain-mode",
      "chmod -R 777 .",
      "chmod -R u+w vendor",
    ],
  ],
  "permissions-open": [
    [
      "chmod /777|666|[0-7]777|[0-7]666|[2467][0-7][0-7][0-7]|*+*s*|a+*w*|o+*w*|go+*w*|+w*/",
      "chmod 777 server.key",
      "chmod 644 server.key",
    ],
    ["chmod [-x -w -r] ~wildcard", "chmod -x src/*", "chmod -x run.sh"],
    ["chmod [-x -w -r] ~several-operands", "chmod -w a.ts b.ts", "chmod -x run.sh"],
    ["chmod 000|0|a-r*|u-r*|a-w*|a-x*|u-w* <kept outside system broad unknown>", "chmod 000 package.json", "chmod 600 package.json"],
    ["chown|chgrp <broad system outside unknown>", "chown root:root /srv/app", "chown dev a.txt"],
    ["setfacl [-m -M -b -x --modify --remove-all] <system outside broad>", "setfacl -m u:x:rw /etc/shadow", "getfacl /etc/shadow"],
  ],
  "disk-copy": [["dd|dcfldd|ddrescue /of=*/", "dd if=/dev/zero of=/dev/sda bs=1M", "dd if=/dev/urandom count=1"]],
  "disk-format": [
    [
      "mkfs|mke2fs|newfs|mkswap|wipefs|blkdiscard|hdparm|nvme|mkdosfs|mkntfs|tune2fs|resize2fs|e2fsck|debugfs|badblocks|fsck",
      "mkfs.ext4 /dev/sdb1",
      "lsblk /dev/sdb1",
    ],
    [
      "diskutil erasedisk|erasevolume|partitiondisk|secureerase|zerodisk|randomdisk|reformat|apfs|resetfusion|unmount|unmountdisk|eject",
      "diskutil eraseDisk JHFS+ x disk2",
      "diskutil list",
    ],
    ["format *:", "format c:", "format --check src"],
  ],
  "disk-partition": [
    [
      "fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|diskpart|partprobe|growpart ![-l --list -p --print]",
      "parted /dev/sda mklabel gpt",
      "fdisk -l",
    ],
  ],
  "disk-fill": [
    ["yes {into-file}", "yes > fill", "yes | head -3"],
    ["cat|dd|pv|head|tail ~endless {into-file}", "cat /dev/zero > fill", "head -c 16 /dev/urandom | xxd"],
    ["cat|pv|head|tail|tee {endless-input} {into-file}", "yes | tee fill", "yes | head -3"],
    ["fallocate [-l --length]=*G|*T|*GB|*TB|*GiB|*TiB", "fallocate -l 500G big", "fallocate -l 5M big"],
    ["truncate|mkfile [-s --size]=*T|*P|*TB|*PB", "truncate -s 9T big.log", "truncate -s 9K big.log"],
  ],
  "volume-remove": [
    ["lvremove|vgremove|pvremove|lvreduce|vgreduce|dmsetup", "lvremove -f vg/data", "lvs"],
    ["zpool|zfs destroy|rollback|labelclear|detach|offline|export", "zfs destroy tank/data", "zfs list"],
    ["btrfs subvolume|su|device|filesystem delete|remove|resize", "btrfs subvolume delete /x", "btrfs subvolume list /x"],
    [
      "cryptsetup luksformat|erase|lukserase|luksremovekey|lukskillslot|close|reencrypt",
      "cryptsetup luksFormat /dev/sdb",
      "cryptsetup status x",
    ],
    ["mdadm [--zero-superblock --stop -S --fail --remove -f -r]", "mdadm --zero-superblock /dev/sdb", "mdadm --detail /dev/md0"],
    ["losetup [-d -D --detach --detach-all]", "losetup -d /dev/loop0", "losetup -l"],
  ],
  "backup-delete": [
    ["tmutil delete|deletelocalsnapshots|disable|deleteinprogress", "tmutil disable", "tmutil listbackups"],
    [`restic forget|prune|key ${DRY_OR_N}`, "restic forget --prune --keep-last 1", "restic snapshots"],
    [`borg|borgmatic delete|prune|compact ${DRY_OR_N}`, "borg delete repo::x", "borg list repo"],
    ["vssadmin|wbadmin|wmic delete|shadowcopy", "vssadmin delete shadows /all", "vssadmin list shadows"],
    [`duplicity remove-*|cleanup ${DRY_OR_N}`, "duplicity remove-all-but-n-full 1 file:///b", "duplicity collection-status file:///b"],
    ["kopia snapshot|policy|repository delete|disconnect|expire", "kopia snapshot delete abc", "kopia repository status"],
  ],
};
