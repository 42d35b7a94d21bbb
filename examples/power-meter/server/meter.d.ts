export function startMeter(port?: number): Promise<{ url: string; close(): Promise<void> }>
