/** Numbers in sentences. */

const format = new Intl.NumberFormat('en-GB');

/** Formats a number as `5,001` */
export function grouped(count: number): string {
  return format.format(count);
}

/** Formats a number with its noun: `1 person`, `5,001 people` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
