export function checkLicences(
  lock: { packages: Record<string, Record<string, unknown>> },
  manifestOf: (path: string) => Record<string, unknown> | null,
  compiledIn?: ReadonlySet<string>,
): { lines: string[]; problems: string[] };
