/** One entry of a tar archive; its path has no slash at its start. */
export type TarEntry = { readonly path: string } & (
  | { readonly kind: 'file'; readonly content: Buffer; readonly executable: boolean }
  | { readonly kind: 'folder' }
  /** A folder that anyone may write to, such as /tmp. */
  | { readonly kind: 'shared-folder' }
  | { readonly kind: 'link'; readonly target: string }
);

const blockSize = 512;
const typeFlags = { file: '0', link: '2', folder: '5', 'shared-folder': '5' } as const;
const longestName = 100;
const longestPrefix = 155;

/** A tar archive in the format of POSIX; the same entries always give the same bytes. */
export function buildTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) =>
    entry.kind === 'file'
      ? [header(entry), entry.content, padding(entry.content)]
      : [header(entry)],
  );
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

function header(entry: TarEntry): Buffer {
  const block = Buffer.alloc(blockSize);
  const { name, prefix } = splitPath(entry.path);
  const size = entry.kind === 'file' ? entry.content.length : 0;
  block.write(name, 0);
  block.write(octal(modeOf(entry), 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(typeFlags[entry.kind], 156);
  if (entry.kind === 'link') block.write(checkLength(entry.target), 157);
  block.write('ustar\0' + '00', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

function modeOf(entry: TarEntry): number {
  switch (entry.kind) {
    case 'file':
      return entry.executable ? 0o755 : 0o644;
    case 'folder':
      return 0o755;
    case 'shared-folder':
      return 0o1777;
    case 'link':
      return 0o777;
  }
}

/** A long path is kept in two fields, parted at a slash. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= longestName) return { name: path, prefix: '' };
  const slash = path.indexOf('/', path.length - longestName - 1);
  const prefix = path.slice(0, Math.max(slash, 0));
  if (slash < 0 || prefix.length > longestPrefix) throw new Error(`path: ${path} is too long`);
  return { name: path.slice(slash + 1), prefix };
}

function checkLength(target: string): string {
  if (Buffer.byteLength(target) > longestName) throw new Error(`link: ${target} is too long`);
  return target;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

const padding = ({ length }: Buffer): Buffer =>
  Buffer.alloc((blockSize - (length % blockSize)) % blockSize);
