export function bundle(sources: readonly string[], folder: string): Promise<string[]>;
export function bundleServer(folder: string, programs?: readonly string[]): Promise<string[]>;
