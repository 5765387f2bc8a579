import { counted } from '@lms-admin/domain/numbers';

/** Formats a file size as file managers show it, with 1,024 bytes to a KB: `3.4 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte', 'bytes');
  const [unit, word] = bytes < 1_048_576 ? [1_024, 'KB'] : [1_048_576, 'MB'];
  const value = bytes / unit;
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${word}`;
}
