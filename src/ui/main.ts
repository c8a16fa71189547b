/** Starts the page: language and look first, then the worker, then the screen. */
import { mount } from 'svelte'
import { connectAgent } from '../bridge/connect-agent.ts'
import App from './App.svelte'
import { applyAppearance, chosenLanguage, readPageSettings } from './page-settings.ts'
import { useLanguage } from './words.ts'
import './theme.css'

const settings = readPageSettings()
const language = chosenLanguage(settings.language)
applyAppearance(settings, language)
// Without the texts of another language English is better than an empty page; the setting stays.
await useLanguage(language).catch(() => undefined)

mount(App, { target: document.getElementById('app') ?? document.body, props: { connect: connectAgent, settings } })
