/** Starts the page: language and look first, then the worker, then the screen. */
import { mount } from 'svelte'
import { connectAgent } from '../bridge/page/connect-agent.ts'
import App from './App.svelte'
import { Installation } from './installed/install.svelte.ts'
import { isFramed, showFramed } from './framed.ts'
import { applyAppearance, chosenLanguage, readPageSettings } from './state/page-settings.ts'
import { showReset } from './reset.ts'
import { routeOf } from './browser/route.ts'
import { useLanguage } from './i18n/texts.ts'
import './theme.css'
import './base.css'

const installation = new Installation()
const settings = readPageSettings()
const language = chosenLanguage(settings.language)
applyAppearance(settings, language)
// Without the texts of another language English is better than an empty page; the setting stays.
await useLanguage(language).catch(() => undefined)

const place = document.getElementById('app') ?? document.body
if (isFramed()) showFramed(place)
else if (routeOf(location.hash).page === 'reset') showReset(place)
else mount(App, { target: place, props: { connect: connectAgent, settings, installation } })
