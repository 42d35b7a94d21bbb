// What is made besides the compiled modules; quick when nothing changed.
import './font.mjs'
import './pages.mjs'
