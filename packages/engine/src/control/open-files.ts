import { readFileSync } from 'node:fs'
import { ConfigurationError, type RunModel } from '@aiperf/core'

/** Files that the program itself has open at most: code, journal, results, pipes of threads. */
const OWN = 150

/** Connections that a run may have at once; 0 when nothing bounds them. */
function mostConnections(model: RunModel): number {
  const most = model.phases.map(({ options, requests = Infinity }) => Math.min(Number((options as { concurrency?: number }).concurrency ?? 0), requests))
  return Math.max(0, ...most)
}

/**
 * Refuses a concurrency that the system's limits cannot carry: each request under way is an open file, and a local port of its
 * own towards each server. Linux only; elsewhere nothing is known beforehand.
 */
export function checkOpenFiles(model: RunModel, limits = systemLimits()): void {
  const wanted = mostConnections(model)
  const { openFiles, localPorts } = limits
  if (openFiles !== undefined && wanted + OWN > openFiles)
    throw new ConfigurationError([
      {
        flags: ['--concurrency'],
        message: `--concurrency ${wanted} needs about ${wanted + OWN} open files, this process may have ${openFiles}.`,
        hint: `Raise the limit (ulimit -n ${2 ** Math.ceil(Math.log2(wanted + OWN))} in the shell, LimitNOFILE= in a systemd unit, --ulimit nofile= for a container), or ask for a concurrency below ${Math.max(1, openFiles - OWN)}.`,
      },
    ])
  const servers = model.endpoint.urls.length
  if (localPorts !== undefined && wanted > localPorts * servers)
    throw new ConfigurationError([
      {
        flags: ['--concurrency'],
        message: `--concurrency ${wanted} needs as many local ports, this machine has ${localPorts} towards each of ${servers} server${servers > 1 ? 's' : ''}.`,
        hint: 'Widen the range (sysctl net.ipv4.ip_local_port_range="1024 65535"), or give the server under several addresses (--url, several times).',
      },
    ])
}

/**
 * Sessions that an open loop without a limit of its own may have under way: as many as there can be connections. What is due
 * beyond them waits, and is counted as late, where it would take the program's own files from it.
 */
export function mostSessions({ openFiles } = systemLimits()): number | undefined {
  return openFiles === undefined ? undefined : Math.max(1, openFiles - OWN)
}

export interface SystemLimits {
  openFiles?: number
  localPorts?: number
}

function systemLimits(): SystemLimits {
  const openFiles = /^Max open files\s+(\d+)/m.exec(read('/proc/self/limits'))?.[1]
  const [from, to] = read('/proc/sys/net/ipv4/ip_local_port_range').trim().split(/\s+/).map(Number)
  return {
    ...(openFiles === undefined ? {} : { openFiles: Number(openFiles) }),
    ...(from === undefined || to === undefined || Number.isNaN(to) ? {} : { localPorts: to - from + 1 }),
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
