/** What became of a call of a tool. */
export interface ToolResult {
  stdout: string
  stderr: string
  /** Undefined when the tool could not be started or was ended by the signal. */
  exitCode: number | undefined
  /** The tool is not on this machine. */
  missing: boolean
}

/** Runs a tool to its end. Never rejects, except by the signal. */
export async function runTool(tool: string, args: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<ToolResult> {
  const { execa } = await import('execa')
  const result = await execa(tool, args, { reject: false, cancelSignal: signal, timeout: timeoutMs, forceKillAfterDelay: 500, stdin: 'ignore', stripFinalNewline: true })
  signal.throwIfAborted()
  return { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode, missing: result.code === 'ENOENT' }
}

/** Why a tool gave nothing, in its own words. */
export function complaint(tool: string, { stdout, stderr, exitCode, missing }: ToolResult): string {
  if (missing) return `${tool} is not on this machine`
  const words = (stderr.trim() || stdout.trim()).split('\n')[0]?.slice(0, 200).replace(/\.+$/, '')
  return words ? `${tool}: ${words}` : exitCode === undefined ? `${tool} did not answer in time` : `${tool} ended with code ${exitCode}`
}
