#!/usr/bin/env node
import '../dist/manifest/bin.js'
