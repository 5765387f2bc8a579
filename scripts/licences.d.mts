export function checkLicences(
  lock: { packages: Record<string, Record<string, unknown>> },
  manifestOf: (path: string) => Record<string, unknown> | null,
): { lines: string[]; problems: string[] };
