export function bundle(sources: readonly string[], folder: string): Promise<void>;
export function bundleServer(folder: string, programs?: readonly string[]): Promise<void>;
