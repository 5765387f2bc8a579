/** Archives for `tar` (POSIX ustar), the same on every system. Uses only Node's own modules. */

const BLOCK = 512;
const NAME = 100;
const PREFIX = 155;

/** Splits a path into the two fields of the header. */
function named(path) {
  if (Buffer.byteLength(path) <= NAME) return ['', path];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const parts = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(parts[0]) <= PREFIX && Buffer.byteLength(parts[1]) <= NAME) return parts;
  }
  throw new Error(`${path} is too long for an archive`);
}

const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;

function header(path, size, mode, seconds) {
  const [prefix, name] = named(path);
  const block = Buffer.alloc(BLOCK);
  const fields = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(seconds, 12)],
    // The sum is calculated as if the field held spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
    [345, prefix],
  ];
  for (const [at, text] of fields) block.write(text, at, 'utf8');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'utf8');
  return block;
}

/**
 * @param entries files: `path` in the archive, `bytes`, and whether it `runs`
 * @returns the archive, not compressed; its files belong to root
 */
export function tarOf(entries) {
  // The current time, not a constant, because browsers recognise new files by time and size.
  const seconds = Math.floor(Date.now() / 1000);
  const blocks = entries.flatMap(({ path, bytes, runs }) => {
    const rest = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
    return [header(path, bytes.length, runs ? 0o755 : 0o644, seconds), bytes, Buffer.alloc(rest)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}
