import type { Route } from '@aiperf/mock-server'

export const quillRoute: Route
