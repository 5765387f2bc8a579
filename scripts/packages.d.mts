export function packageFolder(path: string): string | null;
export function importedPackages(): string[];
export function withNeeded(
  lock: { packages: Record<string, Record<string, unknown>> },
  names: readonly string[],
): Set<string>;
